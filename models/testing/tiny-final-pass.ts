import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tinyModel } from './tiny-onnx.ts';

/** What it understands of every sound. */
export const TINY_FINAL_TEXT = 'Good morning, everybody.';

const TOKENS = ['<unk>', '<s>', '</s>', '▁Good', '▁morning', ',', '▁everybody', '.'];
/** After each token its successor, from the beginning (1) to the end (2). */
const NEXT = [2, 3, 2, 4, 5, 6, 7, 2];
const HEADS = 1;
const DIM = 4;

/** Writes a recognizer of whole utterances of the real form (Moonshine v2: encoder, merged decoder, tokens). */
export function writeTinyFinalPass(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'encoder_model.onnx'), encoder());
  writeFileSync(join(folder, 'decoder_model_merged.onnx'), decoder());
  // The published ones are written so too: a token may be any bytes.
  const lines = TOKENS.map((token, id) => `${Buffer.from(token).toString('base64')}\t${id}`);
  writeFileSync(join(folder, 'tokens.txt'), `${lines.join('\n')}\n`);
}

/** One frame for 1,600 samples. */
function encoder(): Buffer {
  return tinyModel({
    inputs: [{ name: 'input_values', dims: [1, 'L'] }],
    weights: [
      { name: 'from', dims: [1], values: [0], type: 'int64' },
      { name: 'to', dims: [1], values: [1_600 * 400], type: 'int64' },
      { name: 'axis', dims: [1], values: [1], type: 'int64' },
      { name: 'step', dims: [1], values: [1_600], type: 'int64' },
      { name: 'last', dims: [1], values: [-1], type: 'int64' },
      { name: 'ones', dims: [1, DIM], values: new Float32Array(DIM).fill(1) },
    ],
    nodes: [
      { type: 'Slice', input: ['input_values', 'from', 'to', 'axis', 'step'], output: 'picked' },
      { type: 'Unsqueeze', input: ['picked', 'last'], output: 'column' },
      { type: 'MatMul', input: ['column', 'ones'], output: 'last_hidden_state' },
    ],
    outputs: [{ name: 'last_hidden_state', dims: [1, 'F', DIM] }],
  });
}

function decoder(): Buffer {
  const table = new Float32Array(TOKENS.length ** 2);
  NEXT.forEach((next, id) => (table[id * TOKENS.length + next] = 10));
  const kinds = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'];
  const states = kinds.map((kind) => ({ name: `past_key_values.0.${kind}`, dims: [1, HEADS, `P${kind}`, DIM] }));
  return tinyModel({
    inputs: [
      { name: 'input_ids', dims: [1, 'T'], type: 'int64' },
      { name: 'encoder_hidden_states', dims: [1, 'F', DIM] },
      ...states,
      { name: 'use_cache_branch', dims: [1], type: 'bool' },
    ],
    weights: [
      { name: 'table', dims: [TOKENS.length, TOKENS.length], values: table },
      { name: 'heads', dims: [1], values: [1], type: 'int64' },
    ],
    nodes: [
      { type: 'Gather', input: ['table', 'input_ids'], output: 'logits', attributes: { axis: 0 } },
      { type: 'Unsqueeze', input: ['encoder_hidden_states', 'heads'], output: 'seen' },
      ...kinds.map((kind) => ({ type: 'Identity', input: 'seen', output: `present.0.${kind}` })),
    ],
    outputs: [
      { name: 'logits', dims: [1, 'T', TOKENS.length] },
      ...kinds.map((kind) => ({ name: `present.0.${kind}`, dims: [1, HEADS, `Q${kind}`, DIM] })),
    ],
  });
}
