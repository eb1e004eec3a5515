import type { SessionConfig } from '../../actors/session-config.ts';
import { SimulatedSession } from '../../actors/testing/simulated-session.ts';
import { SteadyNoise } from '../../engine/audio-in/stt/steady-noise.ts';
import { SttGate } from '../../engine/audio-in/stt/stt-gate.ts';
import { confidenceOf } from '../../models/stt/pocketsphinx-confidence.ts';
import type { Decoder } from '../../models/stt/pocketsphinx-library.ts';
import type { SoundWindow } from './audio-in-pipeline.ts';

/** Which sound recognition gets: one of them, or the one that a session chooses. */
export type Lane = 'raw' | 'filtered' | 'chosen';

/** From the last sample of a window to its verdict, ms: decoding, filtering and one run of the model. */
const HEARING_MS = 12;
/** PocketSphinx is asked for new words this often, as in its process. */
const PARTIAL_EVERY_SAMPLES = 1_600;
/** From `finish` to the final text: the whole utterance once more, at this share of its length. */
const FINAL_MS = 70;
const SECOND_PASS = 0.23;

/** What a session decided about a sound. */
export interface Listened {
  readonly session: SimulatedSession;
  /** Sound that each final text was made of, 16 kHz, in order. */
  readonly utterances: readonly Int16Array[];
}

/**
 * Plays a sound to a session on a simulated clock; PocketSphinx gives the words, at the times at which its process would.
 * @param lane which sound PocketSphinx gets. @param begin called before the sound begins.
 */
export async function listen(
  decoder: Decoder,
  windows: readonly SoundWindow[],
  options: { lane: Lane; config?: Partial<SessionConfig>; begin?: (session: SimulatedSession) => void },
): Promise<Listened> {
  const session = new SimulatedSession({ ...(options.config && { config: options.config }) }).connect().mute();
  const gate = new SttGate();
  const noise = new SteadyNoise();
  let lane: 'raw' | 'filtered' = 'raw';
  const words = new SimulatedRecognizer(decoder, session);
  let asked = 0;
  const engine = session.engine.perform.bind(session.engine);
  session.engine.perform = (command) => {
    if (command.type === 'stt.finish') asked += 1;
    else if (command.type === 'stt.reset') forget();
    else engine(command);
  };
  const forget = (): void => {
    gate.close();
    words.forget();
  };
  const finish = async (): Promise<void> => {
    gate.close();
    await words.finish();
  };
  options.begin?.(session);
  const from = session.clock.now();
  for (const { vad, raw, filtered } of windows) {
    session.clock.advanceTo(from + vad.endsAt + HEARING_MS);
    for (; asked > 0; asked -= 1) await finish();
    noise.hear(vad);
    if (options.lane !== 'chosen') ({ lane } = options as { lane: 'raw' | 'filtered' });
    else if (!gate.isOpen) lane = noise.isLoud ? 'filtered' : 'raw';
    for (const piece of gate.push(lane === 'raw' ? raw : filtered, vad)) words.write(piece);
    session.dispatch({ type: 'vad.window', ...vad, endsAt: from + vad.endsAt });
    for (; asked > 0; asked -= 1) await finish();
  }
  // The decoder is lent.
  forget();
  return { session, utterances: words.utterances };
}

/** PocketSphinx as its process does it: words while sound comes, and the better of two passes at the end. */
class SimulatedRecognizer {
  /** Sound that each final text was made of. */
  readonly utterances: Int16Array[] = [];
  readonly #decoder: Decoder;
  readonly #session: SimulatedSession;
  #written: Int16Array[] = [];
  #sinceLook = 0;
  #partial = '';

  constructor(decoder: Decoder, session: SimulatedSession) {
    this.#decoder = decoder;
    this.#session = session;
  }

  write(pcm: Int16Array): void {
    if (this.#written.length === 0) this.#decoder.start();
    this.#decoder.process(pcm);
    this.#written.push(pcm);
    this.#sinceLook += pcm.length;
    if (this.#sinceLook < PARTIAL_EVERY_SAMPLES) return;
    this.#sinceLook = 0;
    const { text } = this.#decoder.hypothesis();
    if (text === this.#partial) return;
    this.#partial = text;
    this.#session.dispatch({ type: 'stt.partial', text });
  }

  /** The final text comes later, on the session's clock. */
  async finish(): Promise<void> {
    const whole = joined(this.#written);
    const final = this.#written.length > 0 ? await this.#decodeTwice(whole) : { text: '', score: 0 };
    this.#begin();
    const confidence = final.text === '' ? undefined : confidenceOf(final, whole.length);
    const event = {
      type: 'stt.final',
      text: final.text,
      language: 'en',
      ...(confidence !== undefined && { confidence }),
    } as const;
    const tookMs = FINAL_MS + (SECOND_PASS * whole.length) / 16;
    this.#session.clock.setTimeout(() => this.#session.dispatch(event), tookMs);
  }

  forget(): void {
    if (this.#written.length > 0) this.#decoder.end();
    this.#begin();
  }

  async #decodeTwice(whole: Int16Array) {
    this.#decoder.end();
    const streamed = this.#decoder.hypothesis();
    await this.#decoder.decodeWhole(whole);
    const again = this.#decoder.hypothesis();
    this.utterances.push(whole);
    return again.text !== '' && again.score > streamed.score ? again : streamed;
  }

  #begin(): void {
    this.#written = [];
    this.#partial = '';
    this.#sinceLook = 0;
  }
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  pieces.reduce((at, piece) => (all.set(piece, at), at + piece.length), 0);
  return all;
}
