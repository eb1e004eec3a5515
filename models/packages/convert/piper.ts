import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { ConversionError } from './conversion-error.ts';
import { copyEspeakData } from './espeak-data.ts';
import { metadataFields } from './onnx-messages.ts';

/** What Piper writes beside a voice. */
const configuration = z.object({
  audio: z.object({ sample_rate: z.int().positive() }),
  espeak: z.object({ voice: z.string() }),
  phoneme_type: z.literal('espeak').default('espeak'),
  num_speakers: z.int().positive().default(1),
  phoneme_id_map: z.record(z.string(), z.array(z.int()).min(1)),
});

export interface PiperFiles {
  /** The voice; metadata are appended to it. */
  readonly model: string;
  /** Its `.onnx.json`. */
  readonly config: string;
  /** Written. */
  readonly tokens: string;
  /** A folder that is written. */
  readonly espeakData: string;
}

/** Adds to a voice of Piper what sherpa-onnx wants to know of it. @throws ConversionError */
export function convertPiper({ model, config, tokens, espeakData }: PiperFiles): void {
  const voice = readConfiguration(config);
  copyEspeakData(espeakData);
  const lines = Object.entries(voice.phoneme_id_map).map(([phoneme, ids]) => `${phoneme} ${ids[0]}\n`);
  writeFileSync(tokens, lines.join(''), { mode: 0o600 });
  appendFileSync(
    model,
    metadataFields({
      model_type: 'vits',
      comment: 'piper',
      language: voice.espeak.voice,
      voice: voice.espeak.voice,
      has_espeak: '1',
      n_speakers: String(voice.num_speakers),
      sample_rate: String(voice.audio.sample_rate),
    }),
  );
}

function readConfiguration(path: string): z.output<typeof configuration> {
  try {
    return configuration.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new ConversionError('The configuration of the voice is not one of Piper.', { cause: error });
  }
}
