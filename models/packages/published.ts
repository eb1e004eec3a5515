import type { z } from 'zod';
import { KOKORO } from './kokoro.ts';
import { MINILM_EN } from './minilm.ts';
import { modelPackage, type ModelPackage } from './model-package.ts';
import { PIPER_JOE, SMART_TURN, WHISPER_BASE, WHISPER_TINY_EN } from './registry-sources.ts';

/**
 * The packages that Parley knows: names, sizes and checksums as their publishers' release pages and others who pinned
 * the same files give them. A file that is not exactly this one is refused.
 */

type Row = z.input<typeof modelPackage>;

const SHERPA = 'https://github.com/k2-fsa/sherpa-onnx/releases/download';
const PIPER = 'https://huggingface.co/rhasspy/piper-voices';
const HAS_ESPEAK = 'Contains pronunciation data of espeak-ng (GPL-3.0-or-later).';

/** Streaming transducers of one publisher, one a language. They write small letters and punctuation. */
function kroko(language: string, name: string, bytes: number, sha256: string): Row {
  const root = `sherpa-onnx-streaming-zipformer-${language}-kroko-2025-08-06`;
  return {
    id: `kroko-${language}`,
    kind: 'recognizer',
    title: `Kroko streaming zipformer, ${name}`,
    languages: [language],
    license: 'CC-BY-SA-4.0',
    notice: 'Made by Banafo; who passes it on must name it and keep the license.',
    home: 'https://huggingface.co/Banafo/Kroko-ASR',
    sources: [
      {
        type: 'publisher',
        url: `${SHERPA}/asr-models/${root}.tar.bz2`,
        sha256,
        bytes,
        // The largest, Spanish, is 156 MB.
        archive: { root, keep: ['encoder.onnx', 'decoder.onnx', 'joiner.onnx', 'tokens.txt'], mostBytes: 250e6 },
      },
    ],
    engine: {
      type: 'zipformer',
      encoder: 'encoder.onnx',
      decoder: 'decoder.onnx',
      joiner: 'joiner.onnx',
      tokens: 'tokens.txt',
    },
  };
}

interface PiperVoice {
  readonly locale: string;
  readonly name: string;
  readonly gender: 'male' | 'female';
  readonly license: string;
  /** As the archive is called after the name of the voice. */
  readonly form: 'medium' | 'medium-int8';
  readonly bytes: number;
  readonly sha256: string;
}

function piper({ locale, name, gender, license, form, bytes, sha256 }: PiperVoice): Row {
  const [language = '', country = ''] = locale.split('_');
  const displayName = name.charAt(0).toUpperCase() + name.slice(1);
  const root = `vits-piper-${locale}-${name}-${form}`;
  const model = `${locale}-${name}-medium.onnx`;
  return {
    id: `piper-${language}-${name}`,
    kind: 'voice',
    title: `Piper voice ${displayName}, ${locale}`,
    languages: [language],
    license,
    notice: HAS_ESPEAK,
    home: PIPER,
    sources: [
      {
        type: 'publisher',
        url: `${SHERPA}/tts-models/${root}.tar.bz2`,
        sha256,
        bytes,
        archive: { root, keep: [model, 'tokens.txt', 'espeak-ng-data', 'MODEL_CARD'], mostBytes: 200e6 },
      },
    ],
    engine: { type: 'vits', model, tokens: 'tokens.txt', espeakData: 'espeak-ng-data' },
    voices: [{ id: name, displayName, gender, country }],
  };
}

/** In the order of preference: of what is here and fast enough, the first one of a kind and a language is used. */
const ROWS: readonly Row[] = [
  {
    id: 'zipformer-en',
    kind: 'recognizer',
    title: 'Streaming zipformer 2023-06-26, English',
    languages: ['en'],
    license: 'Apache-2.0',
    home: 'https://k2-fsa.github.io/sherpa/onnx/pretrained_models/online-transducer/zipformer-transducer-models.html',
    sources: [
      {
        type: 'publisher',
        url: `${SHERPA}/asr-models/sherpa-onnx-streaming-zipformer-en-2023-06-26.tar.bz2`,
        sha256: '639e25b578e9e997131402199419c13a941f8e4e198e2da1ce57dbf5cf401282',
        bytes: 310_414_022,
        archive: {
          root: 'sherpa-onnx-streaming-zipformer-en-2023-06-26',
          keep: [
            'encoder-epoch-99-avg-1-chunk-16-left-128.int8.onnx',
            'decoder-epoch-99-avg-1-chunk-16-left-128.onnx',
            'joiner-epoch-99-avg-1-chunk-16-left-128.int8.onnx',
            'tokens.txt',
          ],
          // Several variants are inside, of which one is kept.
          mostBytes: 1.2e9,
        },
      },
    ],
    engine: {
      type: 'zipformer',
      encoder: 'encoder-epoch-99-avg-1-chunk-16-left-128.int8.onnx',
      decoder: 'decoder-epoch-99-avg-1-chunk-16-left-128.onnx',
      joiner: 'joiner-epoch-99-avg-1-chunk-16-left-128.int8.onnx',
      tokens: 'tokens.txt',
      capitals: true,
    },
  },
  kroko('en', 'English', 57_267_600, 'c8676e5ff9ac2a85296e53ee0fd4d5fb1db6770e7a7647166eeafe349ade6834'),
  kroko('de', 'German', 57_565_698, '9e27b783c20e67b0d0f13a258c1861fce199917c969d9176a438bee38df64962'),
  kroko('es', 'Spanish', 124_394_665, '31b2230a95d23290b308b393da930015a4b2105cb3abb9367aed35f7fcf29cf1'),
  kroko('fr', 'French', 57_220_361, 'e6ffd3dc43725cd6c8137b05c739f15607d0df946b9b90eb141e10059efca024'),
  {
    id: 'whisper-tiny-en',
    kind: 'recognizer',
    title: 'Whisper tiny, English',
    languages: ['en'],
    license: 'MIT',
    notice: 'Whisper is Copyright (c) 2022 OpenAI.',
    home: 'https://github.com/openai/whisper',
    sources: [WHISPER_TINY_EN],
    engine: { type: 'whisper', encoder: 'encoder.onnx', decoder: 'decoder.onnx', tokens: 'tokens.txt' },
  },
  {
    id: 'whisper-base',
    kind: 'recognizer',
    title: 'Whisper base, many languages',
    // It knows 99; these it understands best. A list of one's own can name others.
    languages: ['en', 'it', 'pt', 'es', 'de', 'fr', 'nl', 'ca', 'pl', 'ru', 'ja', 'id', 'tr', 'uk', 'sv'],
    license: 'MIT',
    notice: 'Whisper is Copyright (c) 2022 OpenAI.',
    home: 'https://github.com/openai/whisper',
    sources: [
      {
        type: 'publisher',
        url: `${SHERPA}/asr-models/sherpa-onnx-whisper-base.tar.bz2`,
        sha256: '911b2083efd7c0dca2ac3b358b75222660dc09fb716d64fbfc417ba6c99ff3de',
        bytes: 207_557_382,
        archive: {
          root: 'sherpa-onnx-whisper-base',
          keep: ['base-encoder.int8.onnx', 'base-decoder.int8.onnx', 'base-tokens.txt'],
          // The same in 32 bits is inside, too.
          mostBytes: 1e9,
        },
      },
      WHISPER_BASE,
    ],
    engine: {
      type: 'whisper',
      encoder: 'base-encoder.int8.onnx',
      decoder: 'base-decoder.int8.onnx',
      tokens: 'base-tokens.txt',
    },
  },
  {
    id: 'moonshine-en',
    kind: 'final-pass',
    title: 'Moonshine tiny 2026-02-27, English',
    languages: ['en'],
    license: 'MIT',
    home: 'https://github.com/moonshine-ai/moonshine',
    sources: [
      {
        type: 'publisher',
        url: `${SHERPA}/asr-models/sherpa-onnx-moonshine-tiny-en-quantized-2026-02-27.tar.bz2`,
        sha256: '9ec31b342d8fa3240c3b81b8f82e1cf7e3ac467c93ca5a999b741d5887164f8d',
        bytes: 29_858_559,
        archive: {
          root: 'sherpa-onnx-moonshine-tiny-en-quantized-2026-02-27',
          keep: ['encoder_model.ort', 'decoder_model_merged.ort', 'tokens.txt', 'LICENSE'],
          mostBytes: 150e6,
        },
      },
    ],
    engine: {
      type: 'moonshine',
      encoder: 'encoder_model.ort',
      decoder: 'decoder_model_merged.ort',
      tokens: 'tokens.txt',
    },
  },
  {
    id: 'piper-en-joe',
    kind: 'voice',
    title: 'Piper voice Joe, en_US',
    languages: ['en'],
    license: 'CC0-1.0',
    notice: HAS_ESPEAK,
    home: PIPER,
    sources: [PIPER_JOE],
    engine: {
      type: 'vits',
      model: 'en_US-joe-medium.onnx',
      tokens: 'tokens.txt',
      espeakData: 'espeak-ng-data',
    },
    voices: [{ id: 'joe', displayName: 'Joe', gender: 'male', country: 'US' }],
  },
  {
    id: 'kokoro-en',
    kind: 'voice',
    title: 'Kokoro 0.19, English',
    languages: ['en'],
    license: 'Apache-2.0',
    notice: HAS_ESPEAK,
    home: 'https://huggingface.co/hexgrad/kLegacy',
    sources: [
      {
        type: 'publisher',
        url: `${SHERPA}/tts-models/kokoro-int8-en-v0_19.tar.bz2`,
        sha256: 'c9f0dd393615805b0bab050c340834d5e684e732aec91c0e860cd30e982c08bd',
        bytes: 103_248_205,
        archive: {
          root: 'kokoro-int8-en-v0_19',
          keep: ['model.int8.onnx', 'voices.bin', 'tokens.txt', 'espeak-ng-data', 'LICENSE'],
          mostBytes: 300e6,
        },
      },
    ],
    engine: {
      type: 'kokoro',
      model: 'model.int8.onnx',
      voices: 'voices.bin',
      tokens: 'tokens.txt',
      espeakData: 'espeak-ng-data',
    },
    voices: [
      { id: 'bella', displayName: 'Kokoro Bella', gender: 'female', country: 'US', speaker: 1 },
      { id: 'nicole', displayName: 'Kokoro Nicole', gender: 'female', country: 'US', speaker: 2 },
      { id: 'sarah', displayName: 'Kokoro Sarah', gender: 'female', country: 'US', speaker: 3 },
      { id: 'sky', displayName: 'Kokoro Sky', gender: 'female', country: 'US', speaker: 4 },
      { id: 'adam', displayName: 'Kokoro Adam', gender: 'male', country: 'US', speaker: 5 },
      { id: 'michael', displayName: 'Kokoro Michael', gender: 'male', country: 'US', speaker: 6 },
      { id: 'emma', displayName: 'Kokoro Emma', gender: 'female', country: 'GB', speaker: 7 },
      { id: 'isabella', displayName: 'Kokoro Isabella', gender: 'female', country: 'GB', speaker: 8 },
      { id: 'george', displayName: 'Kokoro George', gender: 'male', country: 'GB', speaker: 9 },
      { id: 'lewis', displayName: 'Kokoro Lewis', gender: 'male', country: 'GB', speaker: 10 },
    ],
  },
  KOKORO,
  {
    id: 'kitten-en',
    kind: 'voice',
    title: 'Kitten nano 0.8, English',
    languages: ['en'],
    license: 'Apache-2.0',
    notice: HAS_ESPEAK,
    home: 'https://github.com/KittenML/KittenTTS',
    sources: [
      {
        type: 'publisher',
        url: `${SHERPA}/tts-models/kitten-nano-en-v0_8-int8.tar.bz2`,
        sha256: '6fa5be852612ce761094ba74ee6123b4fc4acfefa79bf64dc63acae4a83af2fd',
        bytes: 31_220_690,
        archive: {
          root: 'kitten-nano-en-v0_8-int8',
          keep: ['model.int8.onnx', 'voices.bin', 'tokens.txt', 'espeak-ng-data', 'LICENSE'],
          mostBytes: 150e6,
        },
      },
    ],
    engine: {
      type: 'kitten',
      model: 'model.int8.onnx',
      voices: 'voices.bin',
      tokens: 'tokens.txt',
      espeakData: 'espeak-ng-data',
    },
    // The publisher's speakers alternate, a man first.
    voices: [
      { id: '2f', displayName: 'Kitten 2', gender: 'female', country: 'US', speaker: 1 },
      { id: '2m', displayName: 'Kitten 2 (male)', gender: 'male', country: 'US', speaker: 0 },
      { id: '3f', displayName: 'Kitten 3', gender: 'female', country: 'US', speaker: 3 },
      { id: '3m', displayName: 'Kitten 3 (male)', gender: 'male', country: 'US', speaker: 2 },
      { id: '4f', displayName: 'Kitten 4', gender: 'female', country: 'US', speaker: 5 },
      { id: '4m', displayName: 'Kitten 4 (male)', gender: 'male', country: 'US', speaker: 4 },
      { id: '5f', displayName: 'Kitten 5', gender: 'female', country: 'US', speaker: 7 },
      { id: '5m', displayName: 'Kitten 5 (male)', gender: 'male', country: 'US', speaker: 6 },
    ],
  },
  piper({
    locale: 'en_US',
    name: 'kristin',
    gender: 'female',
    license: 'MIT, of recordings in the public domain',
    form: 'medium-int8',
    bytes: 20_882_061,
    sha256: '16289d7ee8e6b2311a0a0af6531a55f498f82499644a1bb6fddb991fe6fa950c',
  }),
  piper({
    locale: 'en_US',
    name: 'norman',
    gender: 'male',
    license: 'MIT, of recordings in the public domain',
    form: 'medium-int8',
    bytes: 20_987_233,
    sha256: 'cb481a514bc213ccf3899391c0f27fdcc4e4b814ec30496f28089a027b5aa01b',
  }),
  piper({
    locale: 'de_DE',
    name: 'thorsten',
    gender: 'male',
    license: 'CC0-1.0',
    form: 'medium',
    bytes: 67_214_254,
    sha256: '50487d9c95fdf2191f31d2588569381063ba1591dcd4c7d4bdd30f12b2191714',
  }),
  piper({
    locale: 'es_ES',
    name: 'davefx',
    gender: 'male',
    license: 'CC0-1.0',
    form: 'medium',
    bytes: 67_184_952,
    sha256: 'a3f6beb54a9cb893279f72978a22f807a4d9fc9c7848157b524d5cc7b7f58b22',
  }),
  piper({
    locale: 'fr_FR',
    name: 'siwis',
    gender: 'female',
    license: 'CC-BY-4.0',
    form: 'medium',
    bytes: 67_207_459,
    sha256: '375909aa30842b3a4efa10b1beb1d761af792960ae6873b4d53889f96c66195b',
  }),
  piper({
    locale: 'it_IT',
    name: 'paola',
    gender: 'female',
    license: 'CC0-1.0',
    form: 'medium',
    bytes: 67_221_173,
    sha256: '7541f75778afa164e44e34baaef63befad7698595df26a95ca944b63ef1a16b4',
  }),
  piper({
    locale: 'pt_BR',
    name: 'faber',
    gender: 'male',
    license: 'CC0-1.0',
    form: 'medium',
    bytes: 67_183_065,
    sha256: '7add3f923ad6bc25ca8a192805fd1a64d1b3893e4611c4a9719545a825039a83',
  }),
  {
    id: 'smart-turn',
    kind: 'end-of-turn',
    title: 'smart-turn 3.2',
    languages: [],
    license: 'BSD-2-Clause',
    home: 'https://github.com/pipecat-ai/smart-turn',
    sources: [
      {
        type: 'publisher',
        url: 'https://huggingface.co/pipecat-ai/smart-turn-v3/resolve/f766f81d3cfdf7737ac64aad813d91bbfd56bf93/smart-turn-v3.2-cpu.onnx',
        sha256: '2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f',
        bytes: 8_679_182,
        archive: null,
      },
      SMART_TURN,
    ],
    engine: { type: 'file', path: 'smart-turn-v3.2-cpu.onnx' },
  },
  MINILM_EN,
  {
    id: 'gtcrn',
    kind: 'noise',
    title: 'GTCRN, streaming',
    languages: [],
    license: 'MIT',
    home: 'https://github.com/Xiaobin-Rong/gtcrn',
    sources: [
      {
        type: 'publisher',
        url: 'https://github.com/Xiaobin-Rong/gtcrn/raw/3862c44/stream/onnx_models/gtcrn_simple.onnx',
        sha256: 'b4718df6228e7bdf1a8a435cf98f838636eb2fd331acabf86ba87c5192ebcb87',
        bytes: 535_190,
        archive: null,
      },
    ],
    engine: { type: 'file', path: 'gtcrn_simple.onnx' },
  },
];

export const PUBLISHED_PACKAGES: readonly ModelPackage[] = ROWS.map((row) => modelPackage.parse(row));
