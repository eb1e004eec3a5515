import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelPackage } from '../packages/model-package.ts';
import { filesBelow, sha256, tarBz2 } from './archives.ts';
import { writeTinyFinalPass } from './tiny-final-pass.ts';
import { writeTinyRecognizer } from './tiny-recognizer.ts';
import { writeTinyVoice } from './tiny-voice.ts';

export interface TinyPackages {
  /** What a publisher serves, by file name. */
  readonly files: Readonly<Record<string, Buffer>>;
  /** As `PARLEY_MODELS_LIST` holds them. @param url of the server */
  packages(url: string): ModelPackage[];
}

/** Models of the real form, packed as their publishers pack theirs: `tiny-en`, `tiny-final-en`, `tiny-voice-en`. */
export async function tinyPackages(words: readonly string[]): Promise<TinyPackages> {
  const dir = mkdtempSync(join(tmpdir(), 'parley-tiny-models-'));
  try {
    writeTinyRecognizer(join(dir, 'tiny-en'));
    writeTinyFinalPass(join(dir, 'tiny-final-en'));
    writeTinyVoice(join(dir, 'tiny-voice-en'), words);
    const pack = (id: string) => tarBz2(filesBelow(join(dir, id), id));
    const archives: Archives = {
      'tiny-en': await pack('tiny-en'),
      'tiny-final-en': await pack('tiny-final-en'),
      'tiny-voice-en': await pack('tiny-voice-en'),
    };
    return {
      files: Object.fromEntries(Object.entries(archives).map(([id, bytes]) => [`${id}.tar.bz2`, bytes])),
      packages: (url) => packagesOf(url, archives),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

type Archives = Readonly<Record<'tiny-en' | 'tiny-final-en' | 'tiny-voice-en', Buffer>>;

function packagesOf(url: string, archives: Archives): ModelPackage[] {
  const common = (id: keyof Archives, keep: string[]) => ({
    id,
    title: `Tiny ${id}`,
    languages: ['en'],
    license: 'CC0-1.0',
    home: 'https://example.com',
    sources: [
      {
        type: 'publisher' as const,
        url: `${url}/${id}.tar.bz2`,
        sha256: sha256(archives[id]),
        bytes: archives[id].length,
        archive: { root: id, keep, mostBytes: 1e6 },
      },
    ],
  });
  const transducer = { encoder: 'encoder.onnx', decoder: 'decoder.onnx', joiner: 'joiner.onnx', tokens: 'tokens.txt' };
  const whole = { encoder: 'encoder_model.onnx', decoder: 'decoder_model_merged.onnx', tokens: 'tokens.txt' };
  const voice = { model: 'model.onnx', tokens: 'tokens.txt', lexicon: 'lexicon.txt' };
  return [
    {
      ...common('tiny-en', Object.values(transducer)),
      kind: 'recognizer',
      engine: { type: 'zipformer', ...transducer, capitals: true },
      voices: [],
    },
    {
      ...common('tiny-final-en', Object.values(whole)),
      kind: 'final-pass',
      engine: { type: 'moonshine', ...whole },
      voices: [],
    },
    {
      ...common('tiny-voice-en', Object.values(voice)),
      kind: 'voice',
      engine: { type: 'vits', ...voice },
      voices: [{ id: 'tester', displayName: 'Tester', gender: 'female', country: 'US', speaker: 0 }],
    },
  ];
}
