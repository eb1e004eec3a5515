import type { SessionEvent } from '../../../actors/events.ts';
import type { LanguageModel, ProviderError, SpeechModelSession } from '../../../models/ports.ts';
import type { AudioIn, AudioInEvent, AudioOutEvent } from '../../ports.ts';

/** What a session has in place of a recognizer, an LLM and a voice. */
export interface SpeechLink extends Pick<SpeechModelSession, 'llm' | 'synthesizer' | 'heard' | 'cut' | 'close'> {
  readonly recognizer: NonNullable<Parameters<AudioIn['open']>[0]['recognizer']>;
  /** @returns how likely it is that a voice is heard: what the model says, where it decides about turns. */
  probability(ofVad: number): number;
  /** What it has to know at once. */
  hears(event: SessionEvent): void;
}

/** Sure enough for every threshold of the VAD. */
const VOICE = 0.99;

/**
 * Begins the session's conversation with a speech-to-speech model. @returns null when its model is none.
 * @param session.lost told of what no request tells of, without content.
 */
export function openSpeechLink(
  model: LanguageModel | null,
  session: {
    readonly dispatch: (event: SessionEvent) => void;
    readonly lost: (error: ProviderError) => void;
    readonly goesOn?: boolean;
  },
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
    metered: (use) => session.dispatch({ type: 'provider.metered', service: 'llm', ...use }),
    speaks: () => session.dispatch({ type: 'llm.speaks' }),
    cue: (tag, atMs) =>
      session.dispatch({ type: 'client.cue', tag, inSeconds: null, atSeconds: atMs / 1000, problem: null }),
    hungUp: () => session.dispatch({ type: 'service.stop', reason: 'end_call' }),
    goesOn: session.goesOn ?? false,
  });
  // Its client comes back here.
  if (session.goesOn === true) opened.present?.();
  const words = turnsBy === 'parley' ? 'elsewhere' : 'elsewhere, from all';
  return {
    llm: opened.llm,
    synthesizer: opened.synthesizer,
    recognizer: { by: opened.recognizer, words },
    heard: (segmentId) => opened.heard(segmentId),
    cut: (segmentId, playedMs) => opened.cut(segmentId, playedMs),
    close: () => opened.close(),
    probability(ofVad) {
      if (turnsBy !== 'model') return ofVad;
      return voice === 'on' ? VOICE : 0;
    },
    hears(event) {
      if (event.type === 'peer.connected') opened.present?.();
      else if (event.type === 'client.context') opened.context?.(event.content);
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
