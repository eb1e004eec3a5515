import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tinyModel } from './tiny-onnx.ts';

/** What it understands of every sound, by the language that it is told. */
export const TINY_WHISPER_TEXTS = { it: 'Buongiorno a tutti.', pt: 'Bom dia.' } as const;

const WORDS = ['Buongiorno', ' a', ' tutti', '.', 'Bom', ' dia'];
/** Tokens that mean something else than text. */
const [EOT, SOT, IT, PT, TRANSCRIBE, TRANSLATE, NO_SPEECH, BLANK, NO_TIMESTAMPS] = [6, 7, 8, 9, 10, 11, 12, 13, 14];
const VOCABULARY = 15;
/** After each token its successor. */
const NEXT: Readonly<Record<number, number>> = { [IT]: 0, [PT]: 4, 0: 1, 1: 2, 2: 3, 3: EOT, 4: 5, 5: 3 };
const BANDS = 80;
const STATE = 4;

/** Writes a recognizer of whole utterances of the real form (Whisper: encoder, decoder, tokens). */
export function writeTinyWhisper(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'encoder.onnx'), encoder());
  writeFileSync(join(folder, 'decoder.onnx'), decoder());
  const lines = WORDS.map((word, id) => `${Buffer.from(word).toString('base64')} ${id}`);
  writeFileSync(join(folder, 'tokens.txt'), `${lines.join('\n')}\n`);
}

/** The first frames stand for what is heard. */
function encoder(): Buffer {
  const heard = ['n_layer_cross_k', 'n_layer_cross_v'];
  return tinyModel({
    inputs: [{ name: 'mel', dims: [1, BANDS, 'T'] }],
    weights: [
      { name: 'from', dims: [1], values: [0], type: 'int64' },
      { name: 'to', dims: [1], values: [STATE], type: 'int64' },
      { name: 'axis', dims: [1], values: [2], type: 'int64' },
      { name: 'layers', dims: [1], values: [0], type: 'int64' },
    ],
    nodes: [
      { type: 'Slice', input: ['mel', 'from', 'to', 'axis'], output: 'begin' },
      { type: 'Unsqueeze', input: ['begin', 'layers'], output: 'layered' },
      ...heard.map((output) => ({ type: 'Identity', input: 'layered', output })),
    ],
    outputs: heard.map((name) => ({ name, dims: [1, 1, BANDS, STATE] })),
    metadata: {
      n_mels: String(BANDS),
      n_text_layer: '1',
      n_text_ctx: '64',
      n_text_state: String(STATE),
      n_vocab: String(VOCABULARY),
      sot: String(SOT),
      eot: String(EOT),
      blank_id: String(BLANK),
      translate: String(TRANSLATE),
      transcribe: String(TRANSCRIBE),
      is_multilingual: '1',
      no_timestamps: String(NO_TIMESTAMPS),
      no_speech: String(NO_SPEECH),
      sot_sequence: [SOT, IT, TRANSCRIBE].join(','),
      all_language_tokens: [IT, PT].join(','),
      all_language_codes: 'it,pt',
    },
  });
}

/** The next token follows from the tokens of the step: at first, of the prompt with its language. */
function decoder(): Buffer {
  const table = new Float32Array(VOCABULARY ** 2);
  for (const [id, next] of Object.entries(NEXT)) table[Number(id) * VOCABULARY + next] = 10;
  const caches = ['self_k_cache', 'self_v_cache'];
  const cross = ['n_layer_cross_k', 'n_layer_cross_v'];
  return tinyModel({
    inputs: [
      { name: 'tokens', dims: [1, 'N'], type: 'int64' },
      ...caches.map((name) => ({ name: `in_n_layer_${name}`, dims: [1, 1, 'C', STATE] })),
      ...cross.map((name) => ({ name, dims: [1, 1, BANDS, STATE] })),
      { name: 'offset', dims: [1], type: 'int64' },
    ],
    weights: [
      { name: 'table', dims: [VOCABULARY, VOCABULARY], values: table },
      { name: 'steps', dims: [1], values: [1], type: 'int64' },
    ],
    nodes: [
      { type: 'Gather', input: ['table', 'tokens'], output: 'each', attributes: { axis: 0 } },
      { type: 'ReduceSum', input: ['each', 'steps'], output: 'together' },
      { type: 'Add', input: ['each', 'together'], output: 'logits' },
      ...caches.map((name) => ({ type: 'Identity', input: `in_n_layer_${name}`, output: `out_n_layer_${name}` })),
    ],
    outputs: [
      { name: 'logits', dims: [1, 'N', VOCABULARY] },
      ...caches.map((name) => ({ name: `out_n_layer_${name}`, dims: [1, 1, 'C', STATE] })),
    ],
  });
}
