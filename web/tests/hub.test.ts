// One stream for all who follow runs: it names each run once, nobody hears the same news twice, and failures are told.
import { beforeEach, expect, test, vi } from "vitest";
import { Hub, type News } from "../src/lib/hub";

class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static all: FakeSource[] = [];
  isOpen = true;
  readyState = 1;
  constructor(readonly address: string) {
    super();
    FakeSource.all.push(this);
  }
  close(): void {
    this.isOpen = false;
  }
  say(news: Partial<News>): void {
    this.dispatchEvent(new MessageEvent("run", { data: JSON.stringify({ line: null, error: "", ...news }) }));
  }
}

const open = (): FakeSource[] => FakeSource.all.filter((each) => each.isOpen);

beforeEach(() => {
  FakeSource.all = [];
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeSource);
});

test("eight followers of two runs share one stream", () => {
  const hub = new Hub();
  for (let tab = 0; tab < 8; tab++) hub.join(tab % 2 ? "a" : "b c", () => {});
  vi.runAllTimers();
  expect(open().map((each) => each.address)).toEqual(["/api/events?run=a&run=b%20c"]);
});

test("news reach those who follow the run, once, and who joins later hears the newest", () => {
  const hub = new Hub();
  const [first, other, late] = [vi.fn(), vi.fn(), vi.fn()];
  hub.join("a", first);
  hub.join("b", other);
  vi.runAllTimers();
  open()[0]?.say({ run: "a", error: "one" });
  hub.join("a", late);
  hub.join("c", () => {});
  vi.runAllTimers();
  open()[0]?.say({ run: "a", error: "one" });
  expect(first).toHaveBeenCalledTimes(1);
  expect(late).toHaveBeenCalledTimes(1);
  expect(other).not.toHaveBeenCalled();
});

test("the stream ends with its last follower", () => {
  const hub = new Hub();
  const leave = hub.join("a", () => {});
  vi.runAllTimers();
  expect(open()).toHaveLength(1);
  leave();
  vi.runAllTimers();
  expect(open()).toHaveLength(0);
});

test("a lost stream is told, and what comes after it is heard again", () => {
  const hub = new Hub();
  const heard: string[] = [];
  hub.join("a", (news) => heard.push(news.error));
  vi.runAllTimers();
  open()[0]?.say({ run: "a", error: "" });
  open()[0]?.dispatchEvent(new Event("error"));
  open()[0]?.say({ run: "a", error: "" });
  expect(heard).toEqual(["", "the studio does not answer: is `deckatlas studio` still running?", ""]);
});

test("a stream that was refused is asked for again", () => {
  const hub = new Hub();
  hub.join("a", () => {});
  vi.runAllTimers();
  const [refused] = open();
  if (refused) refused.readyState = FakeSource.CLOSED;
  refused?.dispatchEvent(new Event("error"));
  expect(FakeSource.all).toHaveLength(1);
  vi.runAllTimers();
  expect(FakeSource.all.map((each) => each.address)).toEqual(["/api/events?run=a", "/api/events?run=a"]);
  expect(open()).toHaveLength(1);
});
