import { audioLevelDb, toFloat } from '../../engine/audio-in/vad/audio-level.ts';
import {
  beginUtterance,
  begins,
  continues,
  extend,
  hasStopped,
  isSpeech,
  type Utterance,
} from '../../actors/vad/vad-segmenter.ts';
import { LoudPart } from '../../engine/audio-in/vad/loud-part.ts';
import { SttGate } from '../../engine/audio-in/stt/stt-gate.ts';
import { WINDOW_MS } from '../../actors/vad/vad-window.ts';
import { createSileroVad, VAD_CONTEXT_SAMPLES, VAD_STATE_LENGTH, VAD_WINDOW_SAMPLES } from '../../models/vad/silero.ts';

const SAMPLES_PER_MS = 16;
/** Audio before the onset and after the last loud window that a recognizer gets, as in a session. */
const BEFORE_MS = 300;
const AFTER_MS = 160;

/** A session requests the final after about this much silence. Shorter pauses are inside of an utterance. */
const PAUSE_MS = 500;

/** An utterance as a session gives it to its recognizer. */
export interface SegmentedUtterance {
  readonly pcm: Int16Array;
  /** Where the voice stops and goes on in it, as a session says it, in samples. */
  readonly voice: readonly { readonly at: number; readonly voice: 'on' | 'off' }[];
  /** Sound after its last voiced sample. */
  readonly silenceMs: number;
}

/** @param pcm 16 kHz. @returns the utterances that a session would give to its recognizer. */
export async function segmentByVad(pcm: Int16Array): Promise<SegmentedUtterance[]> {
  const sound = new Float32Array(VAD_CONTEXT_SAMPLES + pcm.length);
  sound.set(toFloat(pcm), VAD_CONTEXT_SAMPLES);
  const vad = createSileroVad();
  const state = new Float32Array(VAD_STATE_LENGTH);
  /** Onset and end, ms. */
  const voices: [number, number][] = [];
  const gate = new SttGate();
  const loudness = new LoudPart();
  const changes: { at: number; voice: 'on' | 'off' }[] = [];
  let voice: Utterance | null = null;
  const add = (utterance: Utterance): void => {
    if (!isSpeech(utterance)) return;
    const last = voices.at(-1);
    if (last !== undefined && utterance.onsetAt - last[1] < PAUSE_MS) last[1] = utterance.lastVoicedAt;
    else voices.push([utterance.onsetAt, utterance.lastVoicedAt]);
  };
  for (let at = 0; at + VAD_WINDOW_SAMPLES <= pcm.length; at += VAD_WINDOW_SAMPLES) {
    const samples = sound.subarray(at, at + VAD_CONTEXT_SAMPLES + VAD_WINDOW_SAMPLES);
    const [probability = 0] = vad.run([{ samples, state }]);
    const raw = samples.subarray(VAD_CONTEXT_SAMPLES);
    const levelDb = audioLevelDb(raw);
    gate.push(pcm.subarray(at, at + VAD_WINDOW_SAMPLES), { probability, levelDb, loudMs: loudness.of(raw) });
    if (gate.voice !== (changes.at(-1)?.voice ?? 'on'))
      changes.push({ at: at + VAD_WINDOW_SAMPLES, voice: gate.voice });
    const window = { probability, levelDb, endsAt: (at / VAD_WINDOW_SAMPLES + 1) * WINDOW_MS };
    if (voice === null) voice = begins(window) ? beginUtterance(window) : null;
    else if (continues(voice, window)) voice = extend(voice, window);
    else if (hasStopped(voice, window)) {
      add(voice);
      voice = null;
    }
  }
  if (voice !== null) add(voice);
  await vad.close();
  return voices.map(([from, to]) => {
    const begin = Math.max(0, (from - BEFORE_MS) * SAMPLES_PER_MS);
    const end = Math.min(pcm.length, (to + AFTER_MS) * SAMPLES_PER_MS);
    return {
      pcm: pcm.slice(begin, end),
      voice: changes.filter(({ at }) => at > begin && at < end).map(({ at, voice }) => ({ at: at - begin, voice })),
      silenceMs: end / SAMPLES_PER_MS - to,
    };
  });
}
