import { tinyOnnx } from '../../../models/testing/tiny-onnx.ts';

/**
 * A graph with the signature of a lip-sync model: the loudness of the sound, 0…1, times the mean color of the face.
 * @param order of the inputs: models differ in it.
 */
export function tinyLipSyncModel(order: 'sound first' | 'face first' = 'sound first'): Buffer {
  const audio = { name: 'mel', dims: [1, 1, 80, 16] };
  const face = { name: 'faces', dims: [1, 6, 96, 96] };
  return tinyOnnx(
    order === 'sound first' ? [audio, face] : [face, audio],
    [
      { type: 'ReduceMean', input: 'mel', output: 'level', attributes: { axes: [2, 3], keepdims: 1 } },
      { type: 'Sigmoid', input: 'level', output: 'loudness' },
      { type: 'ReduceMean', input: 'faces', output: 'gray', attributes: { axes: [1], keepdims: 1 } },
      { type: 'Mul', input: ['loudness', 'gray'], output: 'plane' },
      { type: 'Concat', input: ['plane', 'plane', 'plane'], output: 'output', attributes: { axis: 1 } },
    ],
    { name: 'output', dims: [1, 3, 96, 96] },
  );
}
