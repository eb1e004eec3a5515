import type { IdSource } from './clock.ts';
import type { SessionCommand } from '../commands.ts';
import type { SessionConfig } from '../session-config.ts';
import type { SessionMemory } from '../session-memory.ts';
import type { BusMember } from './bus.ts';
import type { InnerEvent } from './inner-events.ts';

/** What every actor of a session shares. */
export interface SessionEnvironment {
  readonly config: SessionConfig;
  readonly ids: IdSource;
  readonly endOfTurnModelAvailable: boolean;
  readonly memory: SessionMemory;
  /** ms on the session's clock: when the event or timer that is being handled happened. */
  now(): number;
  /** @param at ms on the session's clock. @returns the wall-clock time in ISO 8601. */
  iso(at: number): string;
  perform(command: SessionCommand): void;
  /** Tells all actors, once what is being handled now is done. */
  tell(event: InnerEvent): void;
  /** An actor that wants to hear of everything says so when it starts. */
  join(member: BusMember): void;
  /** For the log: a code, never content. */
  log(code: string, details?: Readonly<Record<string, string | number | boolean | null>>): void;
}
