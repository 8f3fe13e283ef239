// The keys of all pages, as "Help" lists them. A page that takes keys adds them here.

export const KEYS: { where: string; keys: [key: string, does: string][] }[] = [
  {
    where: "Everywhere",
    keys: [
      ["/", "search on this page"],
      ["?", "this help"],
      ["Tab", "the next link or button; the first one skips to the page"],
      ["Esc", "close what is open"],
    ],
  },
  {
    where: "Map",
    keys: [
      ["Arrow keys", "walk from cell to cell"],
      ["Shift with arrow keys", "select a box of cells"],
      ["Home", "the best cell"],
      ["Enter", "open the deck of the cell"],
      ["Esc", "clear the box"],
    ],
  },
  {
    where: "A deck",
    keys: [["c", "copy its code"]],
  },
  {
    where: "A game",
    keys: [
      ["← →", "one action back or forward; with Shift, one turn"],
      ["Space", "play or pause"],
      ["Home End", "the beginning, the end"],
    ],
  },
];
