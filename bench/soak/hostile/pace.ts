/** How hard a hostile soak is, all in ms. */
export interface Pace {
  /** Length of a flood, and of the pause after it. */
  readonly floodMs: number;
  readonly calmMs: number;
  /** Longest time between two visitors. */
  readonly awayMs: number;
  /** Time between two kills. A killed process is back after a few seconds. */
  readonly killMs: { readonly least: number; readonly most: number };
  /** From the end of an answer to the next question. */
  readonly restMs: { readonly least: number; readonly most: number };
  /** Whether every other user speaks: the recognizer takes three seconds of a core for each question. */
  readonly speaks: boolean;
}

export const HARD: Pace = {
  floodMs: 10_000,
  calmMs: 50_000,
  awayMs: 4_000,
  killMs: { least: 15_000, most: 45_000 },
  restMs: { least: 1_000, most: 3_000 },
  speaks: true,
};

/** For many hours on a machine that does other work: the same things happen, and take a quarter of a core on average. */
export const LIGHT: Pace = {
  floodMs: 1_000,
  calmMs: 90_000,
  awayMs: 60_000,
  killMs: { least: 60_000, most: 180_000 },
  restMs: { least: 15_000, most: 30_000 },
  speaks: false,
};
