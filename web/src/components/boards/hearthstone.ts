// A state of Hearthstone as its plug-in gives it (games/hearthstone/replay.py).

export interface HandCard {
  card: string;
  name: string;
  cost: number | null;
  /** Whether the other player knows it. */
  seen: boolean;
}

export interface Minion {
  card: string;
  name: string;
  attack: number;
  health: number;
  most_health: number;
  keywords: string[];
  can_attack: boolean;
  instance: number;
}

export interface HearthstoneSideState {
  hero: string;
  class: string;
  health: number;
  most_health: number;
  armor: number;
  attack: number;
  marks: string[];
  can_attack: boolean;
  mana: number;
  crystals: number;
  locked: number;
  power: { card: string; name: string; cost: number; used: boolean };
  weapon: { card: string; name: string; attack: number; durability: number } | null;
  secrets: { card: string; name: string }[];
  board: Minion[];
  hand: HandCard[];
  deck: number;
  fatigue: number;
}

export interface HearthstoneState {
  phase: string;
  choices: string[];
  sides: HearthstoneSideState[];
}
