import type { EventOf, SessionEvent } from '../../../actors/events.ts';
import { LOST_UTTERANCE } from '../../../actors/session/outstanding-work.ts';
import type { ReplayedSession } from './replay-journal.ts';

/** Words that another process has played or recognized, and that this one knows only from the actors. */
export interface LostWords {
  /** The recognizer of this process has words of its own. */
  heardAgain(): void;
  /** Until `cutSpeech` or `playedOn`, a cut of this speech is answered here. */
  played(speech: EventOf<'speech.cut'>): void;
  playedOn(): void;
  /** @returns false when there is no such speech. */
  cutSpeech(): boolean;
  /** @returns false when there is no such utterance. */
  failUtterance(): boolean;
}

/** @param replayed null: the session began here, and nothing is lost. */
export function lostWords(replayed: ReplayedSession | null, dispatch: (event: SessionEvent) => void): LostWords {
  let speech: EventOf<'speech.cut'> | null = null;
  let utterance = replayed?.outstanding.isUtteranceLost ?? false;
  return {
    heardAgain: () => void (utterance = false),
    played: (cut) => void (speech = cut),
    playedOn: () => void (speech = null),
    cutSpeech() {
      if (speech === null) return false;
      const answer = speech;
      speech = null;
      dispatch(answer);
      return true;
    },
    failUtterance() {
      const isLost = utterance;
      utterance = false;
      if (isLost) dispatch(LOST_UTTERANCE);
      return isLost;
    },
  };
}
