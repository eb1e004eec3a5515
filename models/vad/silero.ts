import type { VadInput, VadModel } from '../ports.ts';
import { floatTensor, floatsOf, int64Tensor, loadOnnxGraph } from '../onnx.ts';
import { packageFile } from '../package-file.ts';

/** Samples of a window at 16 kHz: what the model was trained on, 32 ms. */
export const VAD_WINDOW_SAMPLES = 512;
/** Samples before the window that the model also reads. Without them version 6 hears nothing at all. */
export const VAD_CONTEXT_SAMPLES = 64;
const INPUT_SAMPLES = VAD_CONTEXT_SAMPLES + VAD_WINDOW_SAMPLES;
const STATE_SIZE = 128;
/** Length of `VadInput.state`: two layers. */
export const VAD_STATE_LENGTH = 2 * STATE_SIZE;

/**
 * Silero VAD 6.2 (MIT), one run for all windows of a tick: 0.08 ms for one, about 0.03 ms each for 32.
 * @throws when the model file is not installed or cannot be loaded.
 */
export function createSileroVad(path = packageFile('@ricky0123/vad-web', 'dist/silero_vad_v6.onnx')): VadModel {
  const graph = loadOnnxGraph(path);
  const sampleRate = int64Tensor([16_000], []);
  return {
    run(batch) {
      const count = batch.length;
      if (count === 0) return new Float32Array(0);
      const feeds = { input: gatherSamples(batch), state: gatherState(batch), sr: sampleRate };
      const results = graph.run(feeds);
      scatterState(floatsOf(results, 'stateN'), batch);
      return floatsOf(results, 'output').slice(0, count);
    },
    close: async () => graph.close(),
  };
}

function gatherSamples(batch: readonly VadInput[]) {
  const samples = new Float32Array(batch.length * INPUT_SAMPLES);
  batch.forEach((input, index) => samples.set(input.samples.subarray(0, INPUT_SAMPLES), index * INPUT_SAMPLES));
  return floatTensor(samples, [batch.length, INPUT_SAMPLES]);
}

/** The graph wants [layer, session, 128]; a session keeps [layer, 128]. */
function gatherState(batch: readonly VadInput[]) {
  const count = batch.length;
  const state = new Float32Array(count * VAD_STATE_LENGTH);
  batch.forEach((input, index) => {
    for (let layer = 0; layer < 2; layer++) {
      state.set(
        input.state.subarray(layer * STATE_SIZE, (layer + 1) * STATE_SIZE),
        (layer * count + index) * STATE_SIZE,
      );
    }
  });
  return floatTensor(state, [2, count, STATE_SIZE]);
}

function scatterState(state: Float32Array, batch: readonly VadInput[]): void {
  const count = batch.length;
  batch.forEach((input, index) => {
    for (let layer = 0; layer < 2; layer++) {
      const from = (layer * count + index) * STATE_SIZE;
      input.state.set(state.subarray(from, from + STATE_SIZE), layer * STATE_SIZE);
    }
  });
}
