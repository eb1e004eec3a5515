import type { ServiceAddress } from '../lib/conversation.ts';

/** One thing that a stranger may do to the service. */
export interface Attack {
  readonly name: string;
  /** What is sent, with its size, for the table. */
  readonly what: string;
  /** @returns what came of it, in a few words. @throws when the service did not answer at all. */
  run(service: ServiceAddress): Promise<string>;
}
