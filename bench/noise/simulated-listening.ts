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
  const utterances: Int16Array[] = [];
  let written: Int16Array[] = [];
  let asked = 0;
  let sinceLook = 0;
  let partial = '';
  const engine = session.engine.perform.bind(session.engine);
  session.engine.perform = (command) => {
    if (command.type === 'stt.finish') asked += 1;
    else if (command.type === 'stt.reset') forget();
    else engine(command);
  };
  const forget = (): void => {
    gate.close();
    if (written.length > 0) decoder.end();
    written = [];
    partial = '';
    sinceLook = 0;
  };
  const write = (pcm: Int16Array): void => {
    if (written.length === 0) decoder.start();
    decoder.process(pcm);
    written.push(pcm);
    sinceLook += pcm.length;
    if (sinceLook < PARTIAL_EVERY_SAMPLES) return;
    sinceLook = 0;
    const { text } = decoder.hypothesis();
    if (text === partial) return;
    partial = text;
    session.dispatch({ type: 'stt.partial', text });
  };
  const finish = async (): Promise<void> => {
    const whole = joined(written);
    const { length } = written;
    gate.close();
    let final = { text: '', score: 0 };
    if (length > 0) {
      decoder.end();
      const streamed = decoder.hypothesis();
      await decoder.decodeWhole(whole);
      const again = decoder.hypothesis();
      final = again.text !== '' && again.score > streamed.score ? again : streamed;
      utterances.push(whole);
    }
    written = [];
    partial = '';
    sinceLook = 0;
    const confidence = final.text === '' ? undefined : confidenceOf(final, whole.length);
    session.clock.setTimeout(
      () =>
        session.dispatch({
          type: 'stt.final',
          text: final.text,
          language: 'en',
          ...(confidence !== undefined && { confidence }),
        }),
      FINAL_MS + (SECOND_PASS * whole.length) / 16,
    );
  };
  options.begin?.(session);
  const from = session.clock.now();
  for (const { vad, raw, filtered } of windows) {
    session.clock.advanceTo(from + vad.endsAt + HEARING_MS);
    for (; asked > 0; asked -= 1) await finish();
    noise.hear(vad);
    if (options.lane !== 'chosen') ({ lane } = options as { lane: 'raw' | 'filtered' });
    else if (!gate.isOpen) lane = noise.isLoud ? 'filtered' : 'raw';
    for (const piece of gate.push(lane === 'raw' ? raw : filtered, vad.probability)) write(piece);
    session.dispatch({ type: 'vad.window', ...vad, endsAt: from + vad.endsAt });
    for (; asked > 0; asked -= 1) await finish();
  }
  // The decoder is lent.
  forget();
  return { session, utterances };
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  pieces.reduce((at, piece) => (all.set(piece, at), at + piece.length), 0);
  return all;
}
