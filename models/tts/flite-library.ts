import koffi from 'koffi';
import { isArpabet } from './arpabet.ts';
import { FLITE_VOICES } from './flite-voices.ts';
import type { SpeechLibrary } from './synthesis-process.ts';
import type { SynthesisJob } from './synthesis-protocol.ts';
import { scaleLoudness } from './loudness.ts';
import { plainAscii } from './plain-ascii.ts';
import { ProviderError, type SynthesisChunk, type TimedUnit } from '../ports.ts';
import { WordTimeline } from './word-timeline.ts';

/** Samples per callback: 60 ms at 16 kHz, three frames of the pacer. */
const CHUNK_SAMPLES = 960;
/** flite puts 160–220 ms of silence before and after every sentence: this much of it is kept for a soft onset … */
const KEPT_BEFORE_S = 0.01;
/** … and for a natural gap before the next sentence. */
const KEPT_AFTER_S = 0.12;

type Pointer = bigint | null;

/**
 * Never unloaded. Otherwise the garbage collector unloads a library that no object refers to, and with it the voice
 * that flite still reads: the process ended after some thirty sentences.
 */
const kept: unknown[] = [];

function loadForGood(file: string, options: { global?: boolean } = {}): ReturnType<typeof koffi.load> {
  const library = koffi.load(file, options);
  kept.push(library);
  return library;
}

/**
 * flite through its C library (flite.h of version 2.2). It blocks: a sentence takes 25–65 ms, its first audio 2–16 ms.
 * @throws when the shared libraries are not installed.
 */
export function loadFlite(): SpeechLibrary {
  const flite = loadForGood('libflite.so.1', { global: true });
  loadForGood('libflite_usenglish.so.1', { global: true });
  loadForGood('libflite_cmulex.so.1', { global: true });
  const synthText = flite.func('void* flite_synth_text(str, void*)');
  const deleteUtterance = flite.func('void delete_utterance(void*)');
  const relation = flite.func('void* utt_relation(void*, str)');
  const head = flite.func('void* relation_head(void*)');
  const next = flite.func('void* item_next(void*)');
  const nameOf = flite.func('str item_feat_string(void*, str)');
  const itemNumber = flite.func('float item_feat_float(void*, str)');
  const pathNumber = flite.func('float ffeature_float(void*, str)');
  const setFeature = flite.func('void feat_set(void*, void*, void*)');
  const setNumber = flite.func('void feat_set_float(void*, void*, float)');
  const Wave = koffi.struct({ type: 'void*', sampleRate: 'int', samples: 'int', channels: 'int', data: 'void*' });
  const Streaming = koffi.struct({
    minimum: 'int',
    callback: 'void*',
    utterance: 'void*',
    item: 'void*',
    userData: 'void*',
  });
  const STREAMING_CALLBACK_OFFSET = 8;
  const VOICE_FEATURES_OFFSET = 8;
  flite.func('int flite_init()')();

  function* items(utterance: Pointer, kind: string): Generator<Pointer> {
    for (let item = head(relation(utterance, kind)) as Pointer; item; item = next(item) as Pointer) yield item;
  }

  /** Bounds of the words' tokens: where each ends in the text, and its time. */
  const words = (utterance: Pointer) =>
    [...items(utterance, 'Word')].map((item) => ({
      // Flite counts one past the character after the token.
      position: pathNumber(item, 'R:Token.parent.file_pos') - 2,
      startS: pathNumber(item, 'R:SylStructure.daughter1.daughter1.R:Segment.p.end'),
      endS: pathNumber(item, 'R:SylStructure.daughtern.daughtern.R:Segment.end'),
    }));

  let speaking: {
    job: SynthesisJob;
    deliver: (chunk: SynthesisChunk) => void;
    timings: Timings | null;
    failure: unknown;
  } | null = null;

  // The library calls this inside of flite_synth_text. An exception here would end the process, so it is kept for
  // `speak`.
  const onAudio = koffi.register(
    (wavePointer: Pointer, start: number, size: number, _last: number, streamingPointer: Pointer): number => {
      try {
        if (!speaking || speaking.failure) return 0;
        const utterance = (koffi.decode(streamingPointer, Streaming) as { utterance: Pointer }).utterance;
        speaking.timings ??= readTimings(
          speaking.job,
          [...items(utterance, 'Segment')].map((item) => ({
            name: nameOf(item, 'name') as string,
            endS: itemNumber(item, 'end') as number,
          })),
          words(utterance),
        );
        const wave = koffi.decode(wavePointer, Wave) as { sampleRate: number; data: bigint };
        deliverAudio(speaking.job, speaking.timings, wave, start, size, speaking.deliver);
      } catch (error) {
        if (speaking) speaking.failure = error;
      }
      return 0;
    },
    koffi.pointer(koffi.proto('int flite_sound(void*, int, int, int, void*)')),
  );

  // Flite keeps the pointers to feature names, so they are never freed.
  const streamingName = cString('streaming_info');
  const stretchName = cString('duration_stretch');
  const newStreaming = flite.func('void* new_audio_streaming_info()');
  const streamingValue = flite.func('void* audio_streaming_info_val(void*)');
  const voices = new Map<string, { voice: Pointer; features: Pointer }>();
  for (const name of FLITE_VOICES) {
    const library = loadForGood(`libflite_cmu_us_${name}.so.1`);
    const voice = library.func(`void* register_cmu_us_${name}(void*)`)(null) as Pointer;
    const features = koffi.decode(voice, VOICE_FEATURES_OFFSET, 'void*') as Pointer;
    const streaming = newStreaming() as Pointer;
    koffi.encode(streaming, 'int', CHUNK_SAMPLES);
    koffi.encode(streaming, STREAMING_CALLBACK_OFFSET, 'void*', onAudio);
    setFeature(features, streamingName, streamingValue(streaming));
    voices.set(name, { voice, features });
  }

  return {
    speak(job, deliver) {
      const found = voices.get(job.voice);
      if (!found) throw new ProviderError('flite', 'bad-request', `There is no flite voice "${job.voice}".`);
      setNumber(found.features, stretchName, 1 / job.speed);
      speaking = { job, deliver, timings: null, failure: null };
      // With a space at the end, flite counts the position of the last token like those of the others.
      const utterance = synthText(`${plainAscii(job.text)} \n`, found.voice) as Pointer;
      const { failure, timings } = speaking;
      speaking = null;
      if (utterance) deleteUtterance(utterance);
      if (failure) throw failure;
      if (timings) deliverRest(timings, deliver);
    },
  };
}

function cString(text: string): Pointer {
  const pointer = koffi.alloc('char', text.length + 1) as Pointer;
  koffi.encode(pointer, koffi.array('char', text.length + 1), text);
  return pointer;
}

interface Timings {
  /** The part of flite's audio that is passed on, in seconds. */
  readonly fromS: number;
  readonly toS: number;
  sampleRate: number;
  samplesSent: number;
  /** Not passed on yet. */
  pending: { words: TimedUnit[]; phonemes: TimedUnit[] } | null;
}

/** Times of phonemes and words, without flite's silence at the beginning. */
function readTimings(
  job: SynthesisJob,
  segments: readonly { name: string; endS: number }[],
  words: readonly { position: number; startS: number; endS: number }[],
): Timings {
  const totalS = segments.at(-1)?.endS ?? 0;
  const speechFromS = segments[0]?.name === 'pau' ? segments[0].endS : 0;
  const lastSpoken = segments.findLast((segment) => segment.name !== 'pau');
  const fromS = Math.max(0, speechFromS - KEPT_BEFORE_S);
  const toS = Math.min(totalS, (lastSpoken?.endS ?? totalS) + KEPT_AFTER_S);
  const ms = (seconds: number) => Math.min(Math.max(0, seconds - fromS), toS - fromS) * 1000;

  const phonemes = segments
    .map((segment, index) => ({
      text: isArpabet(segment.name) ? segment.name : 'ax',
      startMs: ms(segments[index - 1]?.endS ?? 0),
      endMs: ms(segment.endS),
    }))
    .filter((phoneme) => phoneme.endMs > phoneme.startMs);
  const timeline = new WordTimeline(job.text, job.language);
  const timed = words.flatMap((word) => timeline.mark(word.position, ms(word.startS), ms(word.endS)));
  timed.push(...timeline.finish(ms(toS)));
  return { fromS, toS, sampleRate: 0, samplesSent: 0, pending: { words: timed, phonemes } };
}

function deliverAudio(
  job: SynthesisJob,
  timings: Timings,
  wave: { sampleRate: number; data: bigint },
  start: number,
  size: number,
  deliver: (chunk: SynthesisChunk) => void,
): void {
  const from = Math.max(start, Math.round(timings.fromS * wave.sampleRate));
  const to = Math.min(start + size, Math.round(timings.toS * wave.sampleRate));
  if (to <= from) return;
  // `view` is flite's own memory, which is freed after this call. `slice` copies.
  const pcm = new Int16Array(koffi.view(wave.data + BigInt(from * 2), (to - from) * 2).slice(0));
  scaleLoudness(pcm, job.volume);
  deliver({ pcm, sampleRate: wave.sampleRate, ...timings.pending });
  timings.pending = null;
  timings.sampleRate = wave.sampleRate;
  timings.samplesSent += pcm.length;
}

/** kal16 ends up to 90 ms before its own timings do. Silence is added, so that each word is inside of the audio. */
function deliverRest(timings: Timings, deliver: (chunk: SynthesisChunk) => void): void {
  const missing = Math.round((timings.toS - timings.fromS) * timings.sampleRate) - timings.samplesSent;
  if (missing > 0) deliver({ pcm: new Int16Array(missing), sampleRate: timings.sampleRate });
}
