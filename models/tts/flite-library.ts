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

/** Where flite's structs have these fields. */
const STREAMING_CALLBACK_OFFSET = 8;
const VOICE_FEATURES_OFFSET = 8;

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
  const flite = bindFlite();
  let speaking: Speaking | null = null;
  const onAudio = registerCallback(flite, () => speaking);
  const voices = new Map(FLITE_VOICES.map((name) => [name as string, loadVoice(flite, name, onAudio)]));
  // Flite keeps the pointers to feature names, so they are never freed.
  const stretchName = cString('duration_stretch');
  return {
    speak(job, deliver) {
      const found = voices.get(job.voice);
      if (!found) throw new ProviderError('flite', 'bad-request', `There is no flite voice "${job.voice}".`);
      flite.setNumber(found.features, stretchName, 1 / job.speed);
      const spoken: Speaking = { job, deliver, timings: null, failure: null };
      speaking = spoken;
      // With a space at the end, flite counts the position of the last token like those of the others.
      const utterance = flite.synthText(`${plainAscii(job.text)} \n`, found.voice) as Pointer;
      speaking = null;
      if (utterance) flite.deleteUtterance(utterance);
      if (spoken.failure) throw spoken.failure;
      if (spoken.timings) deliverRest(spoken.timings, deliver);
    },
  };
}

/** What is being spoken, during the call of `flite_synth_text`. */
interface Speaking {
  readonly job: SynthesisJob;
  readonly deliver: (chunk: SynthesisChunk) => void;
  timings: Timings | null;
  failure: unknown;
}

type Flite = ReturnType<typeof bindFlite>;

/** The functions of flite.h that are used, after `flite_init`. */
function bindFlite() {
  const flite = loadForGood('libflite.so.1', { global: true });
  loadForGood('libflite_usenglish.so.1', { global: true });
  loadForGood('libflite_cmulex.so.1', { global: true });
  const functions = {
    synthText: flite.func('void* flite_synth_text(str, void*)'),
    deleteUtterance: flite.func('void delete_utterance(void*)'),
    relation: flite.func('void* utt_relation(void*, str)'),
    head: flite.func('void* relation_head(void*)'),
    next: flite.func('void* item_next(void*)'),
    nameOf: flite.func('str item_feat_string(void*, str)'),
    itemNumber: flite.func('float item_feat_float(void*, str)'),
    pathNumber: flite.func('float ffeature_float(void*, str)'),
    setFeature: flite.func('void feat_set(void*, void*, void*)'),
    setNumber: flite.func('void feat_set_float(void*, void*, float)'),
    newStreaming: flite.func('void* new_audio_streaming_info()'),
    streamingValue: flite.func('void* audio_streaming_info_val(void*)'),
  };
  flite.func('int flite_init()')();
  return functions;
}

function* items(flite: Flite, utterance: Pointer, kind: string): Generator<Pointer> {
  const first = flite.head(flite.relation(utterance, kind)) as Pointer;
  for (let item = first; item; item = flite.next(item) as Pointer) yield item;
}

/** Bounds of the words' tokens: where each ends in the text, and its time. */
function wordsOf(flite: Flite, utterance: Pointer) {
  return [...items(flite, utterance, 'Word')].map((item) => ({
    // Flite counts one past the character after the token.
    position: flite.pathNumber(item, 'R:Token.parent.file_pos') - 2,
    startS: flite.pathNumber(item, 'R:SylStructure.daughter1.daughter1.R:Segment.p.end'),
    endS: flite.pathNumber(item, 'R:SylStructure.daughtern.daughtern.R:Segment.end'),
  }));
}

function segmentsOf(flite: Flite, utterance: Pointer) {
  return [...items(flite, utterance, 'Segment')].map((item) => ({
    name: flite.nameOf(item, 'name') as string,
    endS: flite.itemNumber(item, 'end') as number,
  }));
}

/**
 * The library calls it inside of flite_synth_text. An exception there would end the process, so it is kept for `speak`.
 * @param current what is being spoken.
 */
function registerCallback(flite: Flite, current: () => Speaking | null) {
  const Wave = koffi.struct({ type: 'void*', sampleRate: 'int', samples: 'int', channels: 'int', data: 'void*' });
  const Streaming = koffi.struct({
    minimum: 'int',
    callback: 'void*',
    utterance: 'void*',
    item: 'void*',
    userData: 'void*',
  });
  return koffi.register(
    (wavePointer: Pointer, start: number, size: number, _last: number, streamingPointer: Pointer): number => {
      const speaking = current();
      if (!speaking || speaking.failure) return 0;
      try {
        const utterance = (koffi.decode(streamingPointer, Streaming) as { utterance: Pointer }).utterance;
        const { job, deliver } = speaking;
        speaking.timings ??= readTimings(job, segmentsOf(flite, utterance), wordsOf(flite, utterance));
        const wave = koffi.decode(wavePointer, Wave) as { sampleRate: number; data: bigint };
        deliverAudio(job, speaking.timings, wave, start, size, deliver);
      } catch (error) {
        speaking.failure = error;
      }
      return 0;
    },
    koffi.pointer(koffi.proto('int flite_sound(void*, int, int, int, void*)')),
  );
}

/** @param onAudio gets the voice's audio while it is made. */
function loadVoice(flite: Flite, name: string, onAudio: ReturnType<typeof registerCallback>) {
  const library = loadForGood(`libflite_cmu_us_${name}.so.1`);
  const voice = library.func(`void* register_cmu_us_${name}(void*)`)(null) as Pointer;
  const features = koffi.decode(voice, VOICE_FEATURES_OFFSET, 'void*') as Pointer;
  const streaming = flite.newStreaming() as Pointer;
  koffi.encode(streaming, 'int', CHUNK_SAMPLES);
  koffi.encode(streaming, STREAMING_CALLBACK_OFFSET, 'void*', onAudio);
  // Flite keeps the pointer to the name.
  flite.setFeature(features, cString('streaming_info'), flite.streamingValue(streaming));
  return { voice, features };
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
