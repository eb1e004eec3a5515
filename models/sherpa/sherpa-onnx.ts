import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { EngineOf, ModelEngine } from '../packages/model-package.ts';

/**
 * The only file that touches sherpa-onnx. A model file that it does not like ends the process (abort or exit), and it
 * brings an onnxruntime of its own: load it only in a process that does nothing else.
 */

export interface SherpaOptions {
  /** Folder of the model's files. */
  readonly folder: string;
  /** `cpu`, or `cuda` where the library was built for it. */
  readonly provider: string;
  /** For one run. */
  readonly threads: number;
}

/** Sound of one utterance on its way to words. */
export interface StreamingUtterance {
  /** @param samples 16 kHz, -1…1. Decodes what is complete, blocking. @returns the words so far. */
  write(samples: Float32Array): string;
}

export interface VoiceSound {
  /** -1…1. */
  readonly samples: Float32Array;
  /** Hz. */
  readonly sampleRate: number;
}

interface OnlineStream {
  acceptWaveform(wave: VoiceSound): void;
}
interface OnlineRecognizer {
  createStream(): OnlineStream;
  isReady(stream: OnlineStream): boolean;
  decode(stream: OnlineStream): void;
  getResult(stream: OnlineStream): { readonly text: string };
}
interface OfflineRecognizer {
  createStream(): OnlineStream;
  decodeAsync(stream: OnlineStream): Promise<{ readonly text: string }>;
  setConfig(config: object): void;
}
interface OfflineTts {
  readonly numSpeakers: number;
  readonly sampleRate: number;
  generateAsync(request: {
    text: string;
    sid: number;
    speed: number;
    enableExternalBuffer: false;
    /** Given, it says the speaker and the speed, too. */
    generationConfig?: { sid: number; speed: number; extra: { lang: string } };
  }): Promise<VoiceSound>;
}
/** As far as it is used; the package brings no types. */
interface Sherpa {
  readonly OnlineRecognizer: new (config: object) => OnlineRecognizer;
  readonly OfflineRecognizer: new (config: object) => OfflineRecognizer;
  readonly OfflineTts: new (config: object) => OfflineTts;
}

const RATE = 16_000;
const features = { sampleRate: RATE, featureDim: 80 };

let loaded: Sherpa | null = null;
/** @throws when the package has no binary for this machine. */
function sherpa(): Sherpa {
  // Its onnxruntime may report usage to the vendor unless told not to before it is loaded.
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
  return (loaded ??= createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa);
}

const running = ({ provider, threads }: SherpaOptions) => ({ provider, numThreads: threads, debug: 0 });

/** @returns a maker of utterances; each takes little. A bad file ends the process. */
export function loadStreaming(engine: EngineOf<'zipformer'>, options: SherpaOptions): () => StreamingUtterance {
  const at = (path: string) => join(options.folder, path);
  const recognizer = new (sherpa().OnlineRecognizer)({
    featConfig: features,
    modelConfig: {
      transducer: { encoder: at(engine.encoder), decoder: at(engine.decoder), joiner: at(engine.joiner) },
      tokens: at(engine.tokens),
      ...running(options),
    },
    decodingMethod: 'greedy_search',
    // Who has finished is decided elsewhere.
    enableEndpoint: 0,
  });
  return () => {
    const stream = recognizer.createStream();
    return {
      write(samples) {
        stream.acceptWaveform({ samples, sampleRate: RATE });
        while (recognizer.isReady(stream)) recognizer.decode(stream);
        return recognizer.getResult(stream).text;
      },
    };
  };
}

export type WholeUtteranceEngine = EngineOf<'moonshine'> | EngineOf<'whisper'>;

/**
 * Whisper learned from 30 s at a time. The library fills the sound up with 10 s of silence; with 5 s, a reading costs a
 * quarter less and has the same words. 1 to 3 s break it: 18 to 23 % of the words are wrong. Frames of 10 ms.
 */
const WHISPER_PADDING = { usual: 500, careful: 1_000 } as const;

export interface WholeReading {
  /** ISO 639-1. Only for Whisper; one that the model does not have ends the process. */
  readonly language: string;
  /** `careful`: takes longer, for a reading that went wrong. */
  readonly care: keyof typeof WHISPER_PADDING;
}

/**
 * @returns what understands a whole utterance (16 kHz, -1…1, up to 20 s) in a thread of the library; several at a time, if they
 * are to be read alike. A bad file ends the process.
 */
export function loadFinalPass(
  engine: WholeUtteranceEngine,
  options: SherpaOptions,
): (samples: Float32Array, reading: WholeReading) => Promise<string> {
  const at = (path: string) => join(options.folder, path);
  const [encoder, decoder] = [at(engine.encoder), at(engine.decoder)];
  const config = ({ language, care }: WholeReading) => ({
    featConfig: features,
    modelConfig: {
      ...(engine.type === 'moonshine'
        ? { moonshine: { encoder, mergedDecoder: decoder } }
        : { whisper: { encoder, decoder, language, task: 'transcribe', tailPaddings: WHISPER_PADDING[care] } }),
      tokens: at(engine.tokens),
      ...running(options),
    },
  });
  let set: WholeReading = { language: '', care: 'usual' };
  const decoding = new Set<Promise<unknown>>();
  const recognizer = new (sherpa().OfflineRecognizer)(config(set));
  return async (samples, reading) => {
    while (engine.type === 'whisper' && (reading.language !== set.language || reading.care !== set.care)) {
      // The library looks at it while it reads.
      if (decoding.size > 0) await Promise.allSettled(decoding);
      else recognizer.setConfig(config((set = reading)));
    }
    const stream = recognizer.createStream();
    stream.acceptWaveform({ samples, sampleRate: RATE });
    const decoded = recognizer.decodeAsync(stream);
    decoding.add(decoded);
    try {
      return (await decoded).text;
    } finally {
      decoding.delete(decoded);
    }
  };
}

/** What the library says of a text without anything that it can pronounce. */
const NOTHING_TO_SAY = /produced no audio/;

export type VoiceEngine = EngineOf<'vits'> | EngineOf<'kitten' | 'kokoro'>;

export interface LoadedVoice {
  readonly speakers: number;
  /**
   * @param speed 1 is the voice's own pace. @param lang for Kokoro: how the text is pronounced, as espeak-ng names it; null: as
   * the model says. In a thread of the library; cannot be stopped. Silent where nothing can be
   * said.
   */
  speak(text: string, speaker: number, speed: number, lang?: string | null): Promise<VoiceSound>;
}

/** A bad file ends the process. */
export function loadVoice(engine: VoiceEngine, options: SherpaOptions): LoadedVoice {
  const tts = new (sherpa().OfflineTts)({
    model: { ...voiceFiles(engine, options.folder), ...running(options) },
    maxNumSentences: 1,
  });
  return {
    speakers: tts.numSpeakers,
    speak: (text, speaker, speed, lang = null) => {
      const request = {
        text,
        sid: speaker,
        speed,
        enableExternalBuffer: false as const,
        ...(lang !== null && { generationConfig: { sid: speaker, speed, extra: { lang } } }),
      };
      return tts.generateAsync(request).catch((error: Error) => {
        // An emoji, or a script that the voice does not read.
        if (!NOTHING_TO_SAY.test(error.message)) throw error;
        return { samples: new Float32Array(0), sampleRate: tts.sampleRate };
      });
    },
  };
}

function voiceFiles(engine: VoiceEngine, folder: string): object {
  const at = (path: string | undefined) => (path === undefined ? '' : join(folder, path));
  const common = { model: at(engine.model), tokens: at(engine.tokens), dataDir: at(engine.espeakData) };
  if (engine.type === 'vits') return { vits: { ...common, lexicon: at(engine.lexicon) } };
  return { [engine.type]: { ...common, voices: at(engine.voices) } };
}

export function isVoiceEngine(engine: ModelEngine): engine is VoiceEngine {
  return engine.type === 'vits' || engine.type === 'kitten' || engine.type === 'kokoro';
}
