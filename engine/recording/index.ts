import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inThread } from '../../runtime/in-thread.ts';
import { SupervisedWorker } from '../../runtime/supervised-worker.ts';
import type { Logger } from '../../runtime/log.ts';
import type { EncodedVideoFrame } from '../media/media-types.ts';
import type { FromRecorder, ToRecorder } from './messages.ts';

export interface RecordedFile {
  readonly path: string;
  readonly durationMs: number;
  readonly bytes: number;
}

export interface RecordingHandlers {
  /** Also called after `failed`, if a part of it can be played. */
  finished(file: RecordedFile): void;
  /** The recording ends here, the session continues. `message` may be shown to a client. */
  failed(message: string): void;
}

export interface RecordingStream {
  /** The first keyframe begins the recording. */
  frame(frame: EncodedVideoFrame, codec: 'h264' | 'vp8'): void;
  /** 48 kHz mono; `at` is engine time of the first sample. Takes the memory: `pcm` is empty afterwards. */
  audio(speaker: 'persona' | 'user', pcm: Int16Array, at: number): void;
  /** `finished` follows if anything was recorded. */
  close(): void;
}

export interface Recording {
  open(options: { sessionId: string; width: number; height: number; handlers: RecordingHandlers }): RecordingStream;
  /** Finishes every open recording. */
  close(): Promise<void>;
}

export interface RunningRecording extends Recording {
  /** Ends the worker, as if it had died. */
  killForTesting(): void;
}

/** Finishing a file takes a few writes. A disk that hangs must not keep the service from stopping. */
const SHUTDOWN_MS = 3_000;

/** After a worker that died repeatedly, a new recording may try again after this time. */
const RETRY_AFTER_MS = 30_000;

/** Records sessions into `<folder>/<session id>.mp4`, in a worker of its own that starts with the first one. */
export function createRecording(options: { folder: string; log: Logger }): RunningRecording {
  const { folder, log } = options;
  const open = new Map<number, { readonly path: string; readonly handlers: RecordingHandlers }>();
  const worker = new SupervisedWorker<ToRecorder, FromRecorder>({
    name: 'The recording worker',
    start: 'on demand',
    stop: { message: { type: 'shutdown' }, withinMs: SHUTDOWN_MS },
    retryAfterMs: RETRY_AFTER_MS,
    launch: inThread(new URL('recording-worker.ts', import.meta.url), { name: 'recording' }),
    message: receive,
    ended({ how }, { next }) {
      if (next !== 'stopped') log.error({ reason: how, recordings: open.size }, 'the recording worker failed');
      const lost = [...open.values()];
      open.clear();
      for (const { handlers } of lost) handlers.failed('The recording stopped.');
    },
  });
  let next = 1;

  function receive(message: FromRecorder): void {
    const recording = open.get(message.id);
    open.delete(message.id);
    if (message.type === 'empty') return;
    if (message.type === 'finished')
      return recording?.handlers.finished({
        path: recording.path,
        durationMs: message.durationMs,
        bytes: message.bytes,
      });
    log.error({ problem: message.message }, 'a recording stopped');
    recording?.handlers.failed('The recording stopped: it could not be written.');
    if (message.written !== null) recording?.handlers.finished({ path: recording.path, ...message.written });
  }

  function begin(file: RecordedSession, handlers: RecordingHandlers): void {
    if (makeFolder(folder, log) && worker.post({ type: 'open', ...file }))
      open.set(file.id, { path: file.path, handlers });
    else handlers.failed('The recording could not begin.');
  }

  return {
    open({ sessionId, width, height, handlers }) {
      const id = next++;
      const path = join(folder, `${sessionId}.mp4`);
      const post = (message: ToRecorder, transfer: ArrayBuffer[] = []): void => {
        if (open.has(id)) worker.post(message, transfer);
      };
      return recordingStream(id, post, () => begin({ id, path, width, height }, handlers));
    },
    close: () => worker.stop(),
    killForTesting: () => worker.kill(),
  };
}

/** @param begin called with the first frame. */
function recordingStream(
  id: number,
  post: (message: ToRecorder, transfer?: ArrayBuffer[]) => void,
  begin: () => void,
): RecordingStream {
  let stage: 'waiting' | 'begun' = 'waiting';
  return {
    frame({ data, keyframe, at }, codec) {
      if (stage === 'waiting') begin();
      stage = 'begun';
      // A copy: the transport still needs the original.
      const copy = Uint8Array.from(data);
      post({ type: 'frame', id, data: copy, keyframe, codec, at }, [copy.buffer]);
    },
    audio(speaker, pcm, at) {
      if (stage === 'waiting') return;
      post({ type: 'audio', id, speaker, pcm, at }, [pcm.buffer as ArrayBuffer]);
    },
    close: () => post({ type: 'close', id }),
  };
}

type RecordedSession = Omit<Extract<ToRecorder, { type: 'open' }>, 'type'>;

/** @returns whether it is there now. */
function makeFolder(folder: string, log: Logger): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    return true;
  } catch (error) {
    log.error({ err: error }, 'the folder of recordings could not be made');
    return false;
  }
}
