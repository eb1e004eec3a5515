import type { BusEvent } from '../kernel/inner-events.ts';
import type { ConversationMode } from '../meeting/conversation-mode.ts';
import type { DroppedAnswer } from './boundary-answer.ts';
import { learnMistake, learnPause, type PauseRhythm } from './pause-rhythm.ts';
import type { OpenTurn } from './user-turn.ts';

/** What a user turn teaches about the speaker's pauses. In a group, somebody else may be the one who goes on. */

interface Known {
  readonly rhythm: PauseRhythm;
  /** The turn that goes on, or the one before. */
  readonly turn: OpenTurn;
  /** The one before got no answer. */
  readonly dropped: DroppedAnswer | null;
}

export function rhythmAfterPause({ rhythm, turn }: Known, mode: ConversationMode, event: BusEvent): PauseRhythm {
  if (event.type !== 'vad.started' || mode === 'group') return rhythm;
  return learnPause(rhythm, event.onsetAt - turn.lastVoicedAt);
}

/** Who goes on right after a turn had not finished, and was answered too early. */
export function rhythmAtStart({ rhythm, turn, dropped }: Known, mode: ConversationMode, event: BusEvent): PauseRhythm {
  const isFirst = turn.correlationId === '';
  if (event.type !== 'vad.started' || mode === 'group' || isFirst || dropped !== null) return rhythm;
  return learnMistake(rhythm, event.onsetAt - turn.lastVoicedAt);
}
