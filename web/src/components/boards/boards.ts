// The boards of games: the one place that knows which component draws which game.
import type { Component } from "svelte";

/** A card that appears in a game, with its text. */
export interface CardFacts {
  name: string;
  cost: number;
  text: string;
  [key: string]: unknown;
}

export interface BoardProps {
  /** The state of the game, in the form that its plug-in gives. */
  state: Record<string, unknown>;
  /** The seat at the bottom. */
  bottom: number;
  /** Whether both hands are open; otherwise only what the player at the bottom sees is shown. */
  open: boolean;
  /** The seat that acts next; null at the end. */
  acts: number | null;
  /** Who plays, for headings. */
  names: string[];
  cards: Record<string, CardFacts>;
}

type Board = () => Promise<{ default: Component<BoardProps> }>;

const BOARDS: Record<string, Board> = {
  hearthstone: () => import("./HearthstoneBoard.svelte"),
  locm: () => import("./LocmBoard.svelte"),
};

/** The board of a game; null if it has none. */
export function boardOf(game: string): Board | null {
  return BOARDS[game] ?? null;
}

/** What to show of a card when it is hovered or focused. */
export function tipOf(card: CardFacts | undefined): { title: string; text: string } | null {
  return card ? { title: `${card.name} (${card.cost})`, text: card.text } : null;
}
