import { exitWithParent } from '../../runtime/exit-with-parent.ts';
import type { ModelEngine } from '../packages/model-package.ts';
import type { LocalModel } from './local-model.ts';
import { isVoiceEngine, loadFinalPass, loadStreaming, loadVoice } from './sherpa-onnx.ts';
import { toFloat } from './samples.ts';

/** What a model is tried with. */
export interface SpeedTrial {
  readonly type: 'try';
  readonly id: number;
  /** Speech for those that listen, 16 kHz. */
  readonly clip: Int16Array;
  /** A sentence for those that speak. */
  readonly sentence: string;
}

export interface SpeedResult {
  readonly id: number;
  /** Time for a second of sound. */
  readonly realTimeFactor: number;
}

/** The first run is slower than those that follow: the best one counts. */
const RUNS = 3;
/** As sound comes from a call. */
const PIECE_SAMPLES = 320;

const model = JSON.parse(process.argv[2] ?? '{}') as LocalModel<ModelEngine>;
exitWithParent();

/** @returns one run; resolves with the seconds of sound that it took or made. */
function load({ clip, sentence }: SpeedTrial): () => Promise<number> {
  const { engine } = model;
  const samples = toFloat(clip);
  const seconds = clip.length / 16_000;
  if (engine.type === 'zipformer') {
    const newUtterance = loadStreaming(engine, model);
    return async () => {
      const utterance = newUtterance();
      for (let at = 0; at < samples.length; at += PIECE_SAMPLES)
        utterance.write(samples.subarray(at, at + PIECE_SAMPLES));
      return seconds;
    };
  }
  if (engine.type === 'moonshine' || engine.type === 'whisper') {
    const understand = loadFinalPass(engine, model);
    return async () => {
      await understand(samples, { language: '', care: 'usual' });
      return seconds;
    };
  }
  if (!isVoiceEngine(engine)) throw new Error('This model neither listens nor speaks.');
  const voice = loadVoice(engine, model);
  return async () => {
    const sound = await voice.speak(sentence, 0, 1);
    return sound.samples.length / sound.sampleRate;
  };
}

process.on('message', (trial: SpeedTrial) => {
  void (async () => {
    const run = load(trial);
    let best = Infinity;
    for (let count = 0; count < RUNS; count += 1) {
      const from = performance.now();
      const before = process.cpuUsage();
      const seconds = await run();
      const { user, system } = process.cpuUsage(before);
      // The machine may be busy with something else, which makes it wait; several threads take more than they wait.
      const took = Math.min((performance.now() - from) / 1000, (user + system) / 1e6);
      best = Math.min(best, took / seconds);
    }
    process.send?.({ id: trial.id, realTimeFactor: best } satisfies SpeedResult);
  })();
});
