import { parentPort, type MessagePort } from 'node:worker_threads';
import { lowerThreadPriority } from '../../runtime/thread-priority.ts';
import { inCriticalSection } from '../../runtime/critical-section.ts';
import type { FromRecorder, ToRecorder } from './messages.ts';
import { SessionRecording } from './session-recording.ts';

/** Writes the recordings of all sessions of the process, away from the thread that paces media. */
const port = parentPort as MessagePort;
/**
 * Nobody waits for a recording: media, recognizers and voices (5) go first. With 16 sessions it takes a seventh of a
 * core.
 */
const NICENESS = 10;
lowerThreadPriority(NICENESS);
const recordings = new Map<number, SessionRecording>();

function post(message: FromRecorder): void {
  port.postMessage(message);
}

/** A recording that cannot continue is given up; the written part can be played. */
function guarded(id: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    const recording = recordings.get(id);
    recordings.delete(id);
    try {
      recording?.close();
    } catch {
      // A disk that took no frame cannot take the end of the file either.
    }
    post({
      type: 'failed',
      id,
      message: error instanceof Error ? error.message : String(error),
      written: recording?.written() ?? null,
    });
  }
}

function close(id: number): void {
  const recording = recordings.get(id);
  guarded(id, () => {
    const file = recording?.close() ?? null;
    recordings.delete(id);
    post(file === null ? { type: 'empty', id } : { type: 'finished', id, ...file });
  });
}

function receive(message: ToRecorder): void {
  switch (message.type) {
    case 'open':
      return void recordings.set(message.id, new SessionRecording(message));
    case 'frame':
      return guarded(message.id, () =>
        recordings.get(message.id)?.frame(message.data, message.keyframe, message.codec, message.at),
      );
    case 'audio':
      return guarded(message.id, () => recordings.get(message.id)?.audio(message.speaker, message.pcm, message.at));
    case 'close':
      return close(message.id);
    case 'shutdown':
      for (const id of recordings.keys()) close(id);
      return port.close();
  }
}

port.on('message', (message: ToRecorder) => inCriticalSection(() => receive(message)));
