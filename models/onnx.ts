import { Tensor } from 'onnxruntime-node';
import { binding, initOrt } from 'onnxruntime-node/dist/binding.js';

/**
 * The only file that touches onnxruntime. Its public `run()` costs a turn of the event loop per call, which a
 * frame-wise filter cannot afford; the binding underneath is synchronous, and the package's version is pinned for it.
 */

/** What a graph takes and gives, by tensor name. */
export type Tensors = Record<string, Tensor>;

export interface OnnxGraph {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Runs on the calling thread and blocks it. @throws when shapes do not fit the graph. */
  run(feeds: Tensors): Tensors;
  close(): void;
}

/**
 * Loads a graph, blocking. One thread per run: on small graphs the default thread pool burns 17–28 CPU-ms a run at
 * real-time pacing, where the run itself takes less than one.
 * @throws when the file is missing or not a graph that onnxruntime can run.
 */
export function loadOnnxGraph(path: string): OnnxGraph {
  // Releases after 1.27 send telemetry unless told otherwise before their first use.
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
  initOrt();
  const session = new binding.InferenceSession();
  session.loadModel(path, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
  });
  const inputs = session.inputMetadata.map(({ name }) => name);
  const outputs = session.outputMetadata.map(({ name }) => name);
  const fetches = Object.fromEntries(outputs.map((name) => [name, null]));
  return {
    inputs,
    outputs,
    run: (feeds) => session.run(feeds, fetches, {}) as Tensors,
    close: () => session.dispose(),
  };
}

/** @param dims must multiply to the length of `data`. */
export function floatTensor(data: Float32Array, dims: readonly number[]): Tensor {
  return new Tensor('float32', data, dims);
}

export function int64Tensor(values: readonly number[], dims: readonly number[]): Tensor {
  return new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
}

/** The numbers of a float output. @throws when the graph gave something else. */
export function floatsOf(tensors: Tensors, name: string): Float32Array {
  const data = tensors[name]?.data;
  if (!(data instanceof Float32Array)) throw new Error(`The model has no float output "${name}".`);
  return data;
}
