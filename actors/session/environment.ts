import type { IdSource } from '../clock.ts';
import type { SpeakerLevel } from '../floor/speaker-level.ts';
import type { SessionCommand } from '../commands.ts';
import type { ConversationHistory } from '../history/conversation-history.ts';
import type { LiveSettings } from '../settings/persona-config-update.ts';
import type { SessionConfig } from '../session-config.ts';
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

/** What a session remembers. Values are replaced, never changed in place. */
export interface SessionMemory {
  history: ConversationHistory;
  /** Language of recognition, voice detection and voice tuning, as updated by the client. */
  settings: LiveSettings;
  /** Language of the conversation: of the last user message, else configured; null while nothing is known. */
  spokenLanguage: string | null;
  /** End of the last window of the user's audio, ms on the session's clock. */
  heardUntil: number;
  /** The client does not answer: only what was sent until then counts as heard. Null: it answers, and hears what is said. */
  arrivedUpTo: number | null;
  /** How loud the user usually is. */
  speaker: SpeakerLevel;
  /** What the face acts now, if not the session's baseline. */
  cue: string | null;
  /** Turn 0 is the greeting. */
  nextTurnIndex: number;
  /** This LLM closes reasoning that it never opens (see `ReplyText`). */
  llmClosesReasoning: boolean;
}
