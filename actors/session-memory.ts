import { UNKNOWN_LEVEL, type SpeakerLevel } from './floor/speaker-level.ts';
import { EMPTY_HISTORY, type ConversationHistory } from './history/conversation-history.ts';
import { NO_USES, type ProviderUses } from './providers/provider-uses.ts';
import { NO_MEETING, type MeetingState } from './meeting/meeting-state.ts';
import type { UsageRecord } from './report.ts';
import type { SessionConfig } from './session-config.ts';
import type { PublishedTurn } from './history/published-turn.ts';
import type { LiveSettings } from './settings/persona-config-update.ts';

/** What a session remembers. Values are replaced, never changed in place. */
export interface SessionMemory {
  history: ConversationHistory;
  /** Language of recognition, voice detection and voice tuning, as updated by the client. */
  settings: LiveSettings;
  /** Language of the conversation: of the last user message, else configured; null while nothing is known. */
  spokenLanguage: string | null;
  /** Guessed from what the persona says, while the language is not known. */
  guessedLanguage: string | null;
  /** End of the last window of the user's audio, ms on the session's clock. */
  heardUntil: number;
  /**
   * The client does not answer: only what was sent until then counts as heard. Null: it answers, and hears what is
   * said.
   */
  arrivedUpTo: number | null;
  /** How loud the user usually is. Never known in a meeting, where every participant has another microphone. */
  speaker: SpeakerLevel;
  /** Empty in an ordinary session. */
  meeting: MeetingState;
  /** The user's newest spoken messages, as they were published: words that come late mend them. */
  published: readonly PublishedTurn[];
  /** What the face acts now, if not the session's baseline. */
  cue: string | null;
  /** Turn 0 is the greeting. */
  nextTurnIndex: number;
  /** Which recognizer, LLM and voice gave what. */
  providers: ProviderUses;
  /** What each of them has done that is paid for. */
  usage: readonly UsageRecord[];
  /** What the application behind a Realtime front has told: instructions, and tools that it runs itself. */
  instructed: { readonly instructions: string; readonly tools: SessionConfig['tools'] };
  /** This LLM closes reasoning that it never opens (see `ReplyText`). */
  llmClosesReasoning: boolean;
}

/** What a session remembers when it begins. */
export function newMemory(config: SessionConfig): SessionMemory {
  return {
    history: EMPTY_HISTORY,
    settings: { languageCode: config.languageCode, voiceDetection: config.voiceDetection, tuning: config.voice.tuning },
    spokenLanguage: config.languageCode,
    guessedLanguage: null,
    heardUntil: 0,
    arrivedUpTo: null,
    speaker: UNKNOWN_LEVEL,
    meeting: NO_MEETING,
    published: [],
    cue: null,
    nextTurnIndex: 1,
    providers: NO_USES,
    usage: [],
    instructed: { instructions: '', tools: [] },
    llmClosesReasoning: false,
  };
}

/** The persona's tools, and those of the application. */
export function sessionTools({
  config,
  memory,
}: {
  readonly config: Pick<SessionConfig, 'tools'>;
  readonly memory?: Pick<SessionMemory, 'instructed'>;
}): SessionConfig['tools'] {
  const tools = memory?.instructed.tools ?? [];
  return tools.length === 0 ? config.tools : [...config.tools, ...tools];
}
