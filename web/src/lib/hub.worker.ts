// The hub of all tabs of a browser: each tab sends the run that it follows, and an empty text when it leaves.
import { Hub } from "./hub";

const hub = new Hub();

addEventListener("connect", (event) => {
  const port = (event as MessageEvent).ports[0];
  if (!port) return;
  let leave = (): void => {};
  port.onmessage = ({ data }: MessageEvent<string>) => {
    leave();
    leave = data ? hub.join(data, (news) => port.postMessage(news)) : (): void => {};
  };
});
