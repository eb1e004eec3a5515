import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tinyModel } from './tiny-onnx.ts';

/**
 * A streaming recognizer of the real form (zipformer2 transducer: encoder, decoder, joiner, tokens) that understands
 * three tones as three words. A tone is understood once until another one was heard.
 */
export const TONE_WORDS: readonly { readonly hertz: number; readonly word: string }[] = [
  { hertz: 400, word: 'GOOD' },
  { hertz: 1000, word: 'MORNING' },
  { hertz: 2500, word: 'EVERYBODY' },
];

const TOKENS = ['<blk>', '<sos/eos>', '<unk>', ...TONE_WORDS.map(({ word }) => `▁${word}`)];
const BANDS = 80;
/** Frames of 10 ms that one step looks at, and by which it advances: as the "chunk 16" models do. */
const FRAMES = 45;
const ADVANCE = 32;
/** A step gives one decision for so many frames. */
const FRAMES_PER_DECISION = 4;
/** The quietest band energy, as a natural logarithm, that is a tone. */
const BLANK_SCORE = 2;
const NEVER = -100;

/** Writes it as `folder` with the file names of a published model. */
export function writeTinyRecognizer(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'encoder.onnx'), encoder());
  writeFileSync(join(folder, 'decoder.onnx'), decoder());
  writeFileSync(join(folder, 'joiner.onnx'), joiner());
  writeFileSync(join(folder, 'tokens.txt'), `${TOKENS.map((token, id) => `${token} ${id}`).join('\n')}\n`);
}

/** The words as sound: each a tone, with nothing between them. @returns 16 kHz */
export function toneWords(words: readonly string[], msEach = 400): Int16Array {
  const each = msEach * 16;
  const pcm = new Int16Array(words.length * each);
  words.forEach((spoken, index) => {
    const tone = TONE_WORDS.find(({ word }) => word === spoken);
    if (tone === undefined) throw new Error(`The tiny recognizer does not know "${spoken}".`);
    for (let k = 0; k < each; k += 1)
      pcm[index * each + k] = Math.round(10_000 * Math.sin((2 * Math.PI * tone.hertz * k) / 16_000));
  });
  return pcm;
}

/** Where a frequency lies among the mel bands of the recognizer's features (20…7600 Hz). */
function bandOf(hertz: number): number {
  const mel = (f: number) => 1127 * Math.log(1 + f / 700);
  return Math.round((BANDS * (mel(hertz) - mel(20))) / (mel(7_600) - mel(20))) - 1;
}

/** The score of a word is the energy of its band; everything else passes its states on. */
function encoder(): Buffer {
  const size = TOKENS.length;
  const weights = new Float32Array(BANDS * size);
  TONE_WORDS.forEach(({ hertz }, index) => (weights[bandOf(hertz) * size + 3 + index] = 1));
  const states = [
    { name: 'cached_key_0', dims: [4, 'N', 4] },
    { name: 'cached_nonlin_attn_0', dims: [1, 'N', 4, 6] },
    { name: 'cached_val1_0', dims: [4, 'N', 4] },
    { name: 'cached_val2_0', dims: [4, 'N', 4] },
    { name: 'cached_conv1_0', dims: ['N', 8, 1] },
    { name: 'cached_conv2_0', dims: ['N', 8, 1] },
    { name: 'embed_states', dims: ['N', 128, 3, 19] },
    { name: 'processed_lens', dims: ['N'], type: 'int64' as const },
  ];
  return tinyModel({
    inputs: [{ name: 'x', dims: ['N', FRAMES, BANDS] }, ...states],
    weights: [
      { name: 'from', dims: [1], values: [0], type: 'int64' },
      { name: 'to', dims: [1], values: [ADVANCE], type: 'int64' },
      { name: 'axis', dims: [1], values: [1], type: 'int64' },
      { name: 'step', dims: [1], values: [FRAMES_PER_DECISION], type: 'int64' },
      { name: 'bands', dims: [BANDS, size], values: weights },
      { name: 'bias', dims: [size], values: [BLANK_SCORE, NEVER, NEVER, ...TONE_WORDS.map(() => 0)] },
    ],
    nodes: [
      { type: 'Slice', input: ['x', 'from', 'to', 'axis', 'step'], output: 'frames' },
      { type: 'MatMul', input: ['frames', 'bands'], output: 'energies' },
      { type: 'Add', input: ['energies', 'bias'], output: 'encoder_out' },
      ...states.map(({ name }) => ({ type: 'Identity', input: name, output: `new_${name}` })),
    ],
    outputs: [
      { name: 'encoder_out', dims: ['N', ADVANCE / FRAMES_PER_DECISION, size] },
      ...states.map((state) => ({ ...state, name: `new_${state.name}` })),
    ],
    metadata: {
      model_type: 'zipformer2',
      encoder_dims: '8',
      query_head_dims: '4',
      value_head_dims: '4',
      num_heads: '1',
      num_encoder_layers: '1',
      cnn_module_kernels: '3',
      left_context_len: '4',
      T: String(FRAMES),
      decode_chunk_len: String(ADVANCE),
    },
  });
}

/** Rules out the word that was understood last. */
function decoder(): Buffer {
  const size = TOKENS.length;
  const penalties = new Float32Array(size * size);
  for (let id = 3; id < size; id += 1) penalties[id * size + id] = NEVER;
  return tinyModel({
    inputs: [{ name: 'y', dims: ['N', 2], type: 'int64' }],
    weights: [
      { name: 'newest', dims: [], values: [1], type: 'int64' },
      { name: 'penalties', dims: [size, size], values: penalties },
    ],
    nodes: [
      { type: 'Gather', input: ['y', 'newest'], output: 'last', attributes: { axis: 1 } },
      { type: 'Gather', input: ['penalties', 'last'], output: 'decoder_out', attributes: { axis: 0 } },
    ],
    outputs: [{ name: 'decoder_out', dims: ['N', size] }],
    metadata: { context_size: '2', vocab_size: String(size) },
  });
}

function joiner(): Buffer {
  const size = TOKENS.length;
  return tinyModel({
    inputs: [
      { name: 'encoder_out', dims: ['N', size] },
      { name: 'decoder_out', dims: ['N', size] },
    ],
    nodes: [{ type: 'Add', input: ['encoder_out', 'decoder_out'], output: 'logit' }],
    outputs: [{ name: 'logit', dims: ['N', size] }],
    metadata: { joiner_dim: String(size) },
  });
}
