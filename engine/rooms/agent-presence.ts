import type { Timers } from '../../runtime/clock.ts';

/** From the persona's arrival to the agent's: workers of a busy machine take some seconds to enter. */
const ARRIVES_WITHIN_MS = 60_000;
/** An agent that lost the room is back within seconds, or never: then nobody would ever let the persona go. */
const BACK_WITHIN_MS = 20_000;

/** Notices when the agent that a persona speaks for stays away. */
export class AgentPresence {
  readonly #agent: string;
  readonly #timers: Timers;
  readonly #gone: () => void;
  #seen: 'never' | 'here' | 'left' = 'never';
  #timer: unknown = null;

  /** @param gone called once, when the agent is not expected any more. */
  constructor(agent: string, timers: Timers, gone: () => void) {
    this.#agent = agent;
    this.#timers = timers;
    this.#gone = gone;
  }

  /** Who is in the room, when the persona enters it. */
  joined(present: readonly string[]): void {
    if (present.includes(this.#agent)) this.#here();
    else this.#await(this.#seen === 'never' ? ARRIVES_WITHIN_MS : BACK_WITHIN_MS);
  }

  changed(here: readonly string[], gone: readonly string[]): void {
    if (here.includes(this.#agent)) this.#here();
    else if (gone.includes(this.#agent) && this.#seen === 'here') {
      this.#seen = 'left';
      this.#await(BACK_WITHIN_MS);
    }
  }

  close(): void {
    this.#timers.clearTimeout(this.#timer);
  }

  #here(): void {
    this.#seen = 'here';
    this.close();
  }

  #await(ms: number): void {
    this.close();
    this.#timer = this.#timers.setTimeout(() => this.#gone(), ms);
  }
}
