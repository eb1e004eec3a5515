import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { ConversionError } from './conversion-error.ts';
import { convolutionsAsProducts } from './convolutions-as-products.ts';
import { copyEspeakData } from './espeak-data.ts';
import { OnnxFile } from './onnx-file.ts';
import { metadataFields } from './onnx-messages.ts';

/** Hz. */
const SAMPLE_RATE = 24_000;
/** A voice has a style of so many numbers for each length of a text, in tokens. */
const STYLES = 510;
const STYLE = 256;
const BYTES_PER_VOICE = STYLES * STYLE * Float32Array.BYTES_PER_ELEMENT;

const vocabularyFile = z.object({ vocab: z.record(z.string().min(1), z.int().nonnegative()) });

export interface KokoroFiles {
  /** Of 8 bits, as kokoro-onnx exports it. */
  readonly source: string;
  /** Which number each phoneme has. */
  readonly vocabulary: string;
  /** All voices in a row; read. */
  readonly voices: string;
  /** Written, as sherpa-onnx takes them. */
  readonly model: string;
  readonly tokens: string;
  /** A folder that is written. */
  readonly espeakData: string;
}

/**
 * Makes Kokoro fast enough to be listened to, and adds what sherpa-onnx wants to know of it. The same files give the same
 * bytes. @throws ConversionError
 */
export function convertKokoro({ source, vocabulary, voices, model, tokens, espeakData }: KokoroFiles): void {
  const count = statSync(voices).size / BYTES_PER_VOICE;
  if (!Number.isInteger(count) || count < 1) throw new ConversionError('The voices are not those of Kokoro.');
  const lines = Object.entries(readVocabulary(vocabulary)).map(([phoneme, id]) => `${phoneme} ${id}\n`);
  const file = new OnnxFile(readFileSync(source));
  if (file.names('inputs').join() !== 'tokens,style,speed') throw new ConversionError('The model is not Kokoro.');
  if (convolutionsAsProducts(file) === 0) throw new ConversionError('The model has no convolutions of 8 bits.');
  file.write(
    model,
    metadataFields({
      model_type: 'kokoro',
      // 2 would ask for lexicons. With 1, espeak-ng pronounces every language that it is told.
      version: '1',
      language: 'English',
      voice: 'en-us',
      has_espeak: '1',
      n_speakers: String(count),
      style_dim: `${STYLES},1,${STYLE}`,
      sample_rate: String(SAMPLE_RATE),
    }),
  );
  writeFileSync(tokens, lines.join(''), { mode: 0o600 });
  copyEspeakData(espeakData);
}

function readVocabulary(path: string): Readonly<Record<string, number>> {
  try {
    return vocabularyFile.parse(JSON.parse(readFileSync(path, 'utf8'))).vocab;
  } catch (error) {
    throw new ConversionError('The vocabulary is not one of Kokoro.', { cause: error });
  }
}
