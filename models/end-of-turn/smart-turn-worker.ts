import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { floatTensor, loadOnnxGraph } from '../onnx.ts';
import type { OnnxGraph } from '../onnx.ts';
import { MEL_BANDS, MEL_FRAMES, whisperFeatures } from './log-mel.ts';

export interface SmartTurnQuestion {
  readonly id: number;
  readonly pcm: Int16Array;
}

export type FromSmartTurnWorker =
  /** The model is loaded. */
  | { readonly type: 'ready' }
  | { readonly type: 'probability'; readonly id: number; readonly probability: number }
  | { readonly type: 'problem'; readonly id: number; readonly problem: string };

const INPUT = 'input_features';
const port = parentPort as MessagePort;
const post = (message: FromSmartTurnWorker): void => port.postMessage(message);

function load(path: string): OnnxGraph {
  const graph = loadOnnxGraph(path);
  if (graph.inputs.includes(INPUT)) return graph;
  throw new Error(`${path} is not a smart-turn v3 model: it has no input "${INPUT}".`);
}

function predict(graph: OnnxGraph, pcm: Int16Array): number {
  const results = graph.run({ [INPUT]: floatTensor(whisperFeatures(pcm), [1, MEL_BANDS, MEL_FRAMES]) });
  // Exports differ in the name of their one output.
  const data = results[graph.outputs[0] as string]?.data;
  const probability = data instanceof Float32Array ? data[0] : undefined;
  if (probability === undefined || !(probability >= 0 && probability <= 1))
    throw new Error('The end-of-turn model gave no probability.');
  return probability;
}

const graph = load((workerData as { path: string }).path);
port.on('message', ({ id, pcm }: SmartTurnQuestion) => {
  try {
    post({ type: 'probability', id, probability: predict(graph, pcm) });
  } catch (error) {
    post({ type: 'problem', id, problem: error instanceof Error ? error.message : String(error) });
  }
});
post({ type: 'ready' });
