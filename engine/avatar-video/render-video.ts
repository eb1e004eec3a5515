import { rm } from 'node:fs/promises';
import { processCores } from '../../runtime/process-share.ts';
import { inThread } from '../../runtime/in-thread.ts';
import { SupervisedWorker } from '../../runtime/supervised-worker.ts';
import type { SpeechSynthesizer, VoiceTuning } from '../../models/ports.ts';
import { DEFAULT_EXPRESSIVITY } from '../face/animation/expression.ts';
import { seedFromText } from '../face/animation/random.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { FromVideoWorker, ToVideoWorker, VideoWorkerData } from './messages.ts';
import { scriptSentences, type ScriptSentence } from './script-sentences.ts';
import { speakSentence } from './speak-sentence.ts';
import { abortable } from '../../runtime/abortable.ts';

export interface AvatarVideoRequest {
  readonly script: string;
  readonly engineKey: string;
  /** One of the sizes of a live frame. */
  readonly width: number;
  readonly height: number;
  /** Key of the synthesizer in the engine's registry. */
  readonly provider: string;
  readonly providerVoiceId: string;
  /** ISO 639-1; null is taken for English. */
  readonly language: string | null;
  readonly tuning: VoiceTuning;
  /** Whether every frame says that nobody is behind the face. */
  readonly disclosure: boolean;
  /** Whether directions inside the script (`[happy]`) are acted; they are never read out. */
  readonly acts: boolean;
  readonly expressivity: number | null;
  readonly baselineStyle: string | null;
  /** The MP4 to write. It is there, whole, when the promise resolves, and gone when it rejects. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** @param share 0…1, rising; a few times a second. */
  onProgress?(share: number): void;
}

export interface RenderedVideo {
  readonly durationMs: number;
  readonly bytes: number;
}

/** A face that waits, for players that show it over and over. */
export type IdleVideoRequest = Pick<
  AvatarVideoRequest,
  'engineKey' | 'width' | 'height' | 'disclosure' | 'path' | 'signal'
>;

/** What making a video needs of the engine. */
export interface VideoParts {
  readonly synthesizer: SpeechSynthesizer;
  readonly timers: Timers;
  /** The avatar, prepared. */
  readonly prepared: SharedArrayBuffer;
  readonly disclosureText: string | null;
}

/**
 * Of the encoder. Each waits for rows of the frame before, so with one for each core the cores rest; with two a video
 * is made 14 % sooner (bench/avatar-video.ts). More than eight gain nothing: the frames are drawn one after the other.
 */
const THREADS_PER_CORE = 2;
const MAX_THREADS = 8;
/** Longer than anything synchronous in the worker but the last pass over a large file. */
const STOP_WITHIN_MS = 5_000;

/**
 * Makes one video, faster than real time, in a thread of its own at the lowest priority. Memory does not grow with
 * the script: sentences are spoken shortly before their frames are made.
 * @throws Error with a message fit for the customer; the signal's reason when it fired.
 */
export async function renderVideo(request: AvatarVideoRequest, parts: VideoParts): Promise<RenderedVideo> {
  const { signal } = request;
  signal.throwIfAborted();
  const sentences = scriptSentences(request.script, request.language);
  if (sentences.length === 0) throw new Error('The script has nothing to say.');
  const data: VideoWorkerData = {
    path: request.path,
    prepared: parts.prepared,
    disclosure: parts.disclosureText,
    baselineStyle: request.baselineStyle,
    expressivity: request.expressivity ?? DEFAULT_EXPRESSIVITY,
    seed: seedFromText(request.script),
    threads: encoderThreads(),
  };
  const maker = startMaker('video-worker.ts', data, request.onProgress);
  const failed = new AbortController();
  try {
    const speaking = AbortSignal.any([signal, failed.signal]);
    return await abortable(
      Promise.race([maker.finished, speakAll(sentences, request, parts, maker, speaking)]),
      signal,
    );
  } catch (error) {
    failed.abort(error);
    await maker.stop();
    await rm(request.path, { force: true });
    throw error;
  }
}

/**
 * Makes a video of one breath without a word (`idle-composer.ts`), in a thread of its own at the lowest priority.
 * @throws Error with a message fit for the customer; the signal's reason when it fired. No file is left then.
 */
export async function renderIdleVideo(
  { path, signal }: IdleVideoRequest,
  { prepared, disclosureText }: Pick<VideoParts, 'prepared' | 'disclosureText'>,
): Promise<RenderedVideo> {
  signal.throwIfAborted();
  const data: VideoWorkerData = {
    path,
    prepared,
    disclosure: disclosureText,
    baselineStyle: null,
    expressivity: DEFAULT_EXPRESSIVITY,
    seed: 0,
    threads: encoderThreads(),
  };
  const maker = startMaker('idle-video-worker.ts', data);
  try {
    return await abortable(maker.finished, signal);
  } catch (error) {
    await maker.stop();
    await rm(path, { force: true });
    throw error;
  }
}

function encoderThreads(): number {
  return Math.min(MAX_THREADS, THREADS_PER_CORE * processCores());
}

interface Maker {
  /** Resolves with the finished video. */
  readonly finished: Promise<RenderedVideo>;
  send(message: ToVideoWorker, transfer?: ArrayBuffer[]): void;
  /** Resolves when one more sentence can be taken. */
  room(): Promise<void>;
  stop(): Promise<void>;
}

function startMaker(
  program: 'video-worker.ts' | 'idle-video-worker.ts',
  data: VideoWorkerData,
  onProgress?: (share: number) => void,
): Maker {
  const finished = Promise.withResolvers<RenderedVideo>();
  // It may fail while nobody looks yet.
  finished.promise.catch(() => {});
  let video: RenderedVideo | null = null;
  let places = 1;
  let waiting: (() => void) | null = null;
  const worker = new SupervisedWorker<ToVideoWorker, FromVideoWorker>({
    name: 'The video worker',
    // What it was told is gone with it.
    start: 'never again',
    stop: { message: { type: 'cancel' }, withinMs: STOP_WITHIN_MS },
    launch: inThread(new URL(program, import.meta.url), { name: 'avatar-video', workerData: data }),
    message(message) {
      switch (message.type) {
        case 'hungry':
          places += 1;
          return waiting?.();
        case 'progress':
          return onProgress?.(message.share);
        case 'finished':
          video = { durationMs: message.durationMs, bytes: message.bytes };
          return;
        case 'failed':
          return finished.reject(new Error(`The video could not be made: ${message.message}`));
      }
    },
    ended({ error }) {
      if (video !== null) finished.resolve(video);
      else finished.reject(error ?? new Error('The video could not be made: its thread ended.'));
    },
  });
  return {
    finished: finished.promise,
    send: (message, transfer) => void worker.post(message, transfer),
    async room() {
      if (places === 0) await new Promise<void>((resolve) => (waiting = resolve));
      places -= 1;
    },
    stop: () => worker.stop(),
  };
}

/** Speaks sentence after sentence, as the maker takes them. Never resolves before the video is finished. */
async function speakAll(
  sentences: readonly ScriptSentence[],
  request: AvatarVideoRequest,
  parts: VideoParts,
  maker: Maker,
  signal: AbortSignal,
): Promise<RenderedVideo> {
  const length = sentences.reduce((sum, { text }) => sum + text.length, 0);
  let spoken = 0;
  for (const { text, pauseMs, cues } of sentences) {
    await maker.room();
    const chunks = await speakSentence(
      parts.synthesizer,
      { text, voice: request.providerVoiceId, language: request.language ?? 'en', tuning: request.tuning },
      parts.timers,
      signal,
    );
    spoken += text.length;
    const sentence = { pauseMs, cues: request.acts ? cues : [] };
    maker.send(
      { type: 'sentence', sentence, chunks, share: spoken / length },
      chunks.map(({ pcm }) => pcm.buffer),
    );
  }
  maker.send({ type: 'complete' });
  return maker.finished;
}
