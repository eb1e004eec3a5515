import { UNKNOWN_LEVEL } from '../floor/speaker-level.ts';
import { EMPTY_HISTORY } from '../history/conversation-history.ts';
import type { SessionConfig } from '../session-config.ts';
import type { SessionMemory } from './environment.ts';

/** What a session remembers when it begins. */
export function newMemory(config: SessionConfig): SessionMemory {
  return {
    history: EMPTY_HISTORY,
    settings: { languageCode: config.languageCode, voiceDetection: config.voiceDetection, tuning: config.voice.tuning },
    spokenLanguage: config.languageCode,
    heardUntil: 0,
    arrivedUpTo: null,
    speaker: UNKNOWN_LEVEL,
    cue: null,
    nextTurnIndex: 1,
    llmClosesReasoning: false,
  };
}
