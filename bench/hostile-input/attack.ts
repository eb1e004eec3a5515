import type { ServiceAddress } from '../lib/call-api.ts';

/** One thing that a stranger may do to the service. */
export interface Attack {
  readonly name: string;
  /** What is sent, with its size, for the table. */
  readonly what: string;
  /**
   * Makes what is to be sent, before anything is measured.
   * @returns sends it: tells what came of it, in a few words, and throws when the service did not answer at all.
   */
  prepare(): Promise<(service: ServiceAddress) => Promise<string>>;
}
