import type { ServiceAddress } from '../lib/call-api.ts';

/** One attack on the service. */
export interface Attack {
  readonly name: string;
  /** What is sent, with its size, for the table. */
  readonly what: string;
  /** Settings that the service needs for it. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Prepares what is sent, before the measurement. @returns a function that sends it. It returns the outcome in a few
   * words, and throws when the service did not answer at all.
   */
  prepare(): Promise<(service: ServiceAddress) => Promise<string>>;
}

/** What the process of an attack tells at its end. */
export interface Outcome {
  readonly text: string;
  /** Processor time that the attacker took itself, with its own server: cores. Null: it did not come to its end. */
  readonly cpuShare: number | null;
}
