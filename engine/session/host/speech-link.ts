import type { SessionEvent } from '../../../actors/events.ts';
import type { LanguageModel, ProviderError, SpeechModelSession } from '../../../models/ports.ts';
import type { AudioIn, AudioInEvent, AudioOutEvent } from '../../ports.ts';

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
export function heardBy(link: SpeechLink | null, event: AudioInEvent): AudioInEvent {
  if (link === null || event.type !== 'vad.window') return event;
  return { ...event, probability: link.probability(event.probability) };
}

/** Tells the model what was heard of its voice. To be called before anybody acts on it. */
export function spokenBy(link: SpeechLink | null, event: AudioOutEvent): void {
  if (event.type === 'speech.finished') link?.heard(event.segmentId);
  if (event.type === 'speech.cut') link?.cut(event.segmentId, event.playedMs);
}
