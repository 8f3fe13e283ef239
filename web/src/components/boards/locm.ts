// A state of Legends of Code and Magic as its plug-in gives it (games/locm/replay.py): of the draft, or of the battle.

export interface Creature {
  card: string;
  instance: number;
  lane: number;
  attack: number;
  defense: number;
  keywords: string;
  can_attack: boolean;
}

export interface LocmSideState {
  health: number;
  rune: number;
  mana: number;
  crystals: number;
  draws: number;
  deck: number;
  hand: { card: string; instance: number }[];
  creatures: Creature[];
}

export interface BattleState {
  phase: "battle" | "over";
  sides: LocmSideState[];
}

export interface DraftState {
  phase: "draft";
  pick: number;
  offer: string[];
  taken: number;
  chosen: string[][];
}

export type LocmState = BattleState | DraftState;

export const LANES = ["left", "right"] as const;

const KEYWORDS: Record<string, string> = {
  B: "breakthrough",
  C: "charge",
  D: "drain",
  G: "guard",
  L: "lethal",
  W: "ward",
};

/** Keywords in words: "BG" is "breakthrough, guard". */
export function keywordsOf(letters: string): string {
  return [...letters]
    .map((letter) => KEYWORDS[letter] ?? "")
    .filter(Boolean)
    .join(", ");
}
