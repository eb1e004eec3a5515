import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tinyModel } from './tiny-onnx.ts';

/** A voice of the real form (VITS with a lexicon) that says every letter as a tone of its own, 50 ms long. */
export const TINY_VOICE_RATE = 16_000;
export const TINY_LETTER_SAMPLES = 800;

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** Ids 0 to 3: silence. */
const TOKENS = ['_', ' ', ',', '.', ...LETTERS];

/** @param words that it can say. Writes it as `folder` with the file names of a published model. */
export function writeTinyVoice(folder: string, words: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'model.onnx'), model());
  writeFileSync(join(folder, 'tokens.txt'), `${TOKENS.map((token, id) => `${token} ${id}`).join('\n')}\n`);
  writeFileSync(join(folder, 'lexicon.txt'), `${words.map((word) => `${word} ${[...word].join(' ')}`).join('\n')}\n`);
}

function model(): Buffer {
  const sounds = new Float32Array(TOKENS.length * TINY_LETTER_SAMPLES);
  LETTERS.forEach((_, index) => {
    const turn = (2 * Math.PI * (200 + 50 * index)) / TINY_VOICE_RATE;
    for (let k = 0; k < TINY_LETTER_SAMPLES; k += 1)
      sounds[(4 + index) * TINY_LETTER_SAMPLES + k] = 0.3 * Math.sin(turn * k);
  });
  return tinyModel({
    inputs: [
      { name: 'x', dims: ['N', 'L'], type: 'int64' },
      { name: 'x_length', dims: ['N'], type: 'int64' },
      { name: 'noise_scale', dims: [1] },
      { name: 'length_scale', dims: [1] },
      { name: 'noise_scale_w', dims: [1] },
    ],
    weights: [
      { name: 'sounds', dims: [TOKENS.length, TINY_LETTER_SAMPLES], values: sounds },
      { name: 'shape', dims: [3], values: [1, 1, -1], type: 'int64' },
    ],
    nodes: [
      { type: 'Gather', input: ['sounds', 'x'], output: 'spoken', attributes: { axis: 0 } },
      { type: 'Reshape', input: ['spoken', 'shape'], output: 'y' },
    ],
    outputs: [{ name: 'y', dims: [1, 1, 'S'] }],
    metadata: {
      model_type: 'vits',
      comment: 'tiny',
      language: 'English',
      sample_rate: String(TINY_VOICE_RATE),
      n_speakers: '1',
      add_blank: '0',
      punctuation: ', .',
    },
  });
}
