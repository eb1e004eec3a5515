import { floatsOf, floatTensor, loadOnnxGraph } from '../../../models/onnx.ts';
import { MEL_BANDS, MEL_FRAMES } from './lip-sync-features.ts';

/**
 * A lip-sync model of the common form. Inputs, recognized by their shapes and not by their names: the sound, [1, 1, 80,
 * 16] (see lip-sync-features.ts), and the face, [1, 6, size, size]: blue, green, red of the face with its lower half
 * black, then of the same face whole, 0…1. Output: the face with its mouth, [1, 3, size, size], blue, green, red, 0…1.
 */
export interface LipSyncModel {
  /** Blocks for as long as the model takes. @returns [3][size][size] */
  infer(mel: Float32Array, face: Float32Array): Float32Array;
  close(): void;
}

/** Pixels of the square face that models of this form are trained on. */
export const LIP_SYNC_FACE = 96;

/** Loads a model and runs it once on an empty face. @throws Error when the file is not such a model. */
export function loadLipSyncModel(path: string): LipSyncModel {
  const graph = loadOnnxGraph(path);
  const pixels = LIP_SYNC_FACE * LIP_SYNC_FACE;
  const [first, second] = graph.inputs;
  const [output] = graph.outputs;
  if (first === undefined || second === undefined || output === undefined || graph.inputs.length !== 2) {
    graph.close();
    throw new Error(`A lip-sync model has two inputs, sound and face; this one has ${graph.inputs.length}.`);
  }
  const run = (audio: string, face: string, mel: Float32Array, frame: Float32Array): Float32Array =>
    floatsOf(
      graph.run({
        [audio]: floatTensor(mel, [1, 1, MEL_BANDS, MEL_FRAMES]),
        [face]: floatTensor(frame, [1, 6, LIP_SYNC_FACE, LIP_SYNC_FACE]),
      }),
      output,
    );
  let failure: unknown = null;
  for (const [audio, face] of [
    [first, second],
    [second, first],
  ] as const) {
    try {
      const { length } = run(audio, face, new Float32Array(MEL_BANDS * MEL_FRAMES), new Float32Array(6 * pixels));
      if (length !== 3 * pixels) throw new Error(`Its output has ${length} numbers instead of ${3 * pixels}.`);
      return { infer: (mel, frame) => run(audio, face, mel, frame), close: () => graph.close() };
    } catch (error) {
      failure = error;
    }
  }
  graph.close();
  throw new Error('The file is no lip-sync model of the form [1,1,80,16] and [1,6,96,96] to [1,3,96,96].', {
    cause: failure,
  });
}
