// What the numbers mean: the one list of definitions, which the page "Help" and the marks beside numbers (`Why.svelte`) show.

export interface Definition {
  /** What people call it. */
  name: string;
  /** What it is, in a sentence or two. */
  what: string;
  /** How it is calculated. */
  how: string;
  /** What to beware of. */
  beware?: string;
}

export const DEFINITIONS = {
  "win-rate": {
    name: "Win rate",
    what: "The share of its games that a side wins. A draw counts as half a win in matches, and as no win in runs and evaluations of decks.",
    how: "Seats are swapped: both sides play every seed from both seats, so that going first helps neither.",
    beware:
      "The deck with the highest rate of many is partly lucky. Its rate on fresh games (recheck) is the honest one.",
  },
  interval: {
    name: "Interval",
    what: "The numbers in brackets: where the true value lies, with 95 % certainty. n is the number of games behind it.",
    how: "Wilson's interval over seeds, because the two games of a seed share their shuffles; Student's for other averages. Where decks play a fixed suite, opponents are strata.",
    beware: "It covers the luck of the games, and not the luck of being picked as the best of many.",
  },
  "qd-score": {
    name: "QD score",
    what: "How much good and different a search has found, in one number: the sum of the objective over all elites of the map.",
    how: "Each elite adds its objective, counted from an offset that stands beside the score. Health differences count from -30 to 30 as 0 to 1.",
    beware: "More cells give a higher score. Compare maps with the same cells, objective and offset only.",
  },
  coverage: {
    name: "Coverage",
    what: "The share of the map's cells that have an elite.",
    how: "Cells with an elite, divided by all cells; where some cells can hold no deck, the share of the reachable ones is shown, too.",
    beware: "It may fall while a map grows, because new cells are empty at first.",
  },
  elite: {
    name: "Elite",
    what: "The best solution of its cell: of all decks with about the same measures, the one with the highest objective.",
    how: "A new solution replaces the elite of its cell only if its objective is higher.",
    beware:
      "Elites are picked for their results, so the noise of their games has helped them. A recheck shows how much.",
  },
  support: {
    name: "Support",
    what: "The share of the decks that have all cards of a pattern. 2x is two copies or more.",
    how: "Counted over the elites of the map or of the chosen region; over a metagame, decks count by their shares of the mix.",
  },
  lift: {
    name: "Lift",
    what: "How many times more often a set of cards is in these decks than in random legal decks.",
    how: "The support divided by the exact chance of the set in a legal deck drawn at random.",
    beware: "A set in few decks can have a large lift by chance. Look at the number of decks, too.",
  },
  "swap-out": {
    name: "Swap-out value",
    what: "What a card is worth in this deck: the win rate of the deck minus its win rate with all copies of the card replaced.",
    how: "Both decks play the same seeds. The replacement has about the same cost, is drawn at random for each seed, and is shuffled to the same places. Intervals are corrected for the number of cards.",
    beware: "It is relative to an average card of that cost, and not to the best alternative.",
  },
  "drawn-win-rate": {
    name: "Win rate when drawn, kept or played",
    what: "How often the deck won the games in which the card was drawn (kept, played).",
    how: "Wins among the games with this event, with the interval of a ratio.",
    beware:
      "It is biased: it compares different games, not different decks. Long games draw more cards, and finishers are played where they finish. A high rate is a fact; that the card caused it is not. The swap-out value answers that.",
  },
  "equilibrium-mix": {
    name: "Equilibrium mix",
    what: "The shares of decks against which no deck of the set wins more than half of its games.",
    how: "Solved exactly from the matrix of win rates. It is solved again for 400 matrices that the games allow as well; the interval of a share is where 95 % of these are.",
    beware:
      "Where two decks can replace each other, both intervals are wide. The mix is about these decks and pilots alone.",
  },
  rating: {
    name: "Rating",
    what: "The strength of a side on one scale: a difference of 400 points is a win rate of 91 %.",
    how: "Fitted to all games of the gauntlet or metagame at once; the interval is over seeds.",
    beware: "One number cannot show who beats whom. Rock, paper and scissors have the same rating.",
  },
  "adjusted-p": {
    name: "Adjusted p",
    what: "How easily chance alone would show a difference this large, once all questions of the same kind are taken into account.",
    how: "p values adjusted by Holm's method. If nothing had changed, any false claim of a kind would be made in at most 5 % of studies.",
    beware: "A small p says that there is a difference, and not that it is large. The interval says how large.",
  },
} as const satisfies Record<string, Definition>;

export type Term = keyof typeof DEFINITIONS;

/** The definition of a term. */
export function definitionOf(term: Term): Definition {
  return DEFINITIONS[term];
}
