import type { SessionEvent } from '../../../actors/events.ts';
import type { LanguageModel, ProviderError, SpeechModelSession } from '../../../models/ports.ts';
import type { AudioIn, AudioInHandlers, AudioOutHandlers } from '../../ports.ts';

/** What a session has in place of a recognizer, an LLM and a voice. */
export interface SpeechLink extends Pick<SpeechModelSession, 'llm' | 'synthesizer' | 'heard' | 'cut' | 'close'> {
  readonly recognizer: NonNullable<Parameters<AudioIn['open']>[0]['recognizer']>;
  /** @returns how likely it is that a voice is heard: what the model says, where it decides about turns. */
  probability(ofVad: number): number;
}

/** Sure enough for every threshold of the VAD. */
const VOICE = 0.99;

/**
 * Begins the session's conversation with a speech-to-speech model. @returns null when its model is none.
 * @param session.lost told of what no request tells of, without content.
 */
export function openSpeechLink(
  model: LanguageModel | null,
  session: { readonly dispatch: (event: SessionEvent) => void; readonly lost: (error: ProviderError) => void },
): SpeechLink | null {
  if (model?.speech === undefined) return null;
  const { turnsBy } = model.speech;
  let voice: 'on' | 'off' = 'off';
  const opened = model.speech.open({
    voice(heard) {
      voice = heard;
      // The model stops by itself then, so the persona cannot go on.
      if (heard === 'on') session.dispatch({ type: 'client.interrupt' });
    },
    lost: session.lost,
  });
  const words = turnsBy === 'model' ? 'elsewhere, from all' : 'elsewhere';
  return {
    llm: opened.llm,
    synthesizer: opened.synthesizer,
    recognizer: { by: opened.recognizer, words },
    heard: (segmentId) => opened.heard(segmentId),
    cut: (segmentId, playedMs) => opened.cut(segmentId, playedMs),
    close: () => opened.close(),
    probability(ofVad) {
      if (turnsBy === 'parley') return ofVad;
      return voice === 'on' ? VOICE : 0;
    },
  };
}

/** Whether a voice is heard says the model, if it decides about turns. */
export function heardBy(link: SpeechLink | null, handlers: AudioInHandlers): AudioInHandlers {
  if (link === null) return handlers;
  return {
    ...handlers,
    window: (window) => handlers.window({ ...window, probability: link.probability(window.probability) }),
  };
}

/** The model is told what was heard of its voice, before anybody acts on it. */
export function spokenBy<Handlers extends Pick<AudioOutHandlers, 'finished' | 'cut'>>(
  link: SpeechLink | null,
  handlers: Handlers,
): Handlers {
  if (link === null) return handlers;
  return {
    ...handlers,
    finished(segmentId) {
      link.heard(segmentId);
      handlers.finished(segmentId);
    },
    cut(segmentId, playedMs) {
      link.cut(segmentId, playedMs);
      handlers.cut(segmentId, playedMs);
    },
  };
}
