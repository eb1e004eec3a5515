import {
  CERTAIN_PROBABILITY,
  ENTER_PROBABILITY,
  STAY_PROBABILITY,
  STOP_AFTER_MS,
  TAIL_BELOW_PEAK_DB,
} from '../../../actors/vad/vad-thresholds.ts';
import { WINDOW_MS, type VadWindow } from '../../../actors/vad/vad-window.ts';

/**
 * Which part of the sound reaches recognition: speech with some sound before and after it. So silence between turns
 * costs no recognition.
 */

/** Below the 0.5 of a decision for speech, so that soft beginnings are included. */
const OPEN_PROBABILITY = 0.3;
/** Sound from before the first voiced window: soft consonants that detection misses. */
const PRE_ROLL_MS = 500;
/** Sound after the last voiced window. This includes the pauses inside a sentence. */
const POST_ROLL_MS = 1_500;

/**
 * The first sign of silence, since the last loud sound: the reading of the last words begins with it, and each word of the user
 * waits for that. In 54 s of people's recordings, clean and noisy, 14 such signs are followed by more speech; with 128 ms, 12.
 */
const SILENT_AFTER_MS = 2 * WINDOW_MS;

type Heard = Omit<VadWindow, 'endsAt'>;

export class SttGate {
  readonly #preRoll: { pcm: Int16Array; ms: number }[] = [];
  #preRollMs = 0;
  #openMsLeft = 0;
  /** Loudest window of the voice so far, dB. */
  #peakDb = -Infinity;
  /** Since the last loud sound of the voice. */
  #silentMs = 0;
  #voice: 'none' | 'on' | 'silent' | 'suspected' = 'none';

  /** Whether the sound that is passed on is a voice, or what follows it. */
  get voice(): 'on' | 'off' {
    return this.#silentMs < SILENT_AFTER_MS ? 'on' : 'off';
  }

  /** Whether sound is passed on now. */
  get isOpen(): boolean {
    return this.#openMsLeft > 0;
  }

  /** @param pcm the window, 16 kHz. @returns the windows that recognition gets now, in order. */
  push(pcm: Int16Array, window: Heard): Int16Array[] {
    const ms = pcm.length / 16;
    this.#followVoice(window);
    if (window.probability > OPEN_PROBABILITY) this.#openMsLeft = POST_ROLL_MS;
    if (this.#openMsLeft > 0) {
      this.#openMsLeft -= ms;
      this.#preRollMs = 0;
      return [...this.#preRoll.splice(0).map((held) => held.pcm), pcm];
    }
    this.#preRoll.push({ pcm, ms });
    this.#preRollMs += ms;
    while (this.#preRollMs > PRE_ROLL_MS) this.#preRollMs -= this.#preRoll.shift()?.ms ?? this.#preRollMs;
    return [];
  }

  /** The utterance is over. The pre-roll stays: the next utterance may have begun in it. */
  close(): void {
    this.#openMsLeft = 0;
    this.#peakDb = -Infinity;
    this.#silentMs = 0;
    this.#voice = 'none';
  }

  /** As the VAD does: otherwise a room in which something stirs would throw the reading of the last words away. */
  #followVoice({ probability, levelDb, loudMs = WINDOW_MS }: Heard): void {
    const isVoice =
      probability >= (this.#voice === 'on' ? STAY_PROBABILITY : ENTER_PROBABILITY) &&
      levelDb >= this.#peakDb - TAIL_BELOW_PEAK_DB;
    if (isVoice && !this.#mayBeNoise(probability)) {
      this.#voice = 'on';
      this.#peakDb = Math.max(this.#peakDb, levelDb);
      this.#silentMs = loudMs > 0 ? WINDOW_MS - loudMs : this.#silentMs + WINDOW_MS;
    } else if (this.#voice !== 'none') {
      this.#voice = isVoice ? 'suspected' : 'silent';
      this.#silentMs += WINDOW_MS;
    }
  }

  /** One window, once the voice has stopped. */
  #mayBeNoise(probability: number): boolean {
    return this.#voice === 'silent' && this.#silentMs >= STOP_AFTER_MS && probability < CERTAIN_PROBABILITY;
  }
}
