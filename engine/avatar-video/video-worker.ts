import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { drawLabel } from '../face/picture/disclosure.ts';
import { PatchRenderer } from '../face/picture/patch-renderer.ts';
import { unpackAvatar } from '../face/picture/prepared-file.ts';
import { lowerThreadPriority } from '../thread-priority.ts';
import { Film } from './film.ts';
import { LineProgress } from './line-progress.ts';
import { lineSound } from './line-sound.ts';
import type { FromVideoWorker, ToVideoWorker, VideoWorkerData } from './messages.ts';

/** A thread that makes one video and ends. It takes what live sessions leave of the processor. */
const LOWEST_PRIORITY = 19;
/** Pictures between two looks at the messages: about 20 ms, so that cancelling is immediate. */
const PICTURES_PER_TURN = 8;
const PICTURES_PER_REPORT = 25;
/** Sound that waits for pictures: enough that the voice is never waited for, little enough to hold in memory. */
const ENOUGH_AHEAD_MS = 12_000;

const port = parentPort as MessagePort;
const post = (message: FromVideoWorker): void => port.postMessage(message);
const data = workerData as VideoWorkerData;
lowerThreadPriority(LOWEST_PRIORITY);

const film = openFilm();
const progress = new LineProgress();
let state: 'taking lines' | 'completing' | 'over' = 'taking lines';
let hungry = true;
let working = false;

function openFilm(): Film | null {
  try {
    const avatar = unpackAvatar(data.prepared);
    const label = data.disclosure === null ? null : drawLabel(data.disclosure, avatar.height);
    return new Film({ ...data, renderer: new PatchRenderer(avatar), label });
  } catch (error) {
    over({ type: 'failed', message: textOf(error) });
    return null;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const goesOn = (): boolean => state !== 'over';

function over(last: FromVideoWorker | null): void {
  state = 'over';
  film?.discard();
  if (last !== null) post(last);
  port.close();
}

/** Makes pictures as long as there are any to make. */
async function work(film: Film): Promise<void> {
  if (working) return;
  working = true;
  try {
    let made = 0;
    while (goesOn() && film.makePicture()) {
      made += 1;
      askForMore(film);
      if (made % PICTURES_PER_REPORT === 0) post({ type: 'progress', share: progress.at(film.madeMs) });
      if (made % PICTURES_PER_TURN === 0) await nextTurn();
    }
    if (state === 'completing') over({ type: 'finished', ...film.finish() });
  } catch (error) {
    over({ type: 'failed', message: textOf(error) });
  }
  working = false;
}

function askForMore(film: Film): void {
  if (hungry || state !== 'taking lines' || film.aheadMs > ENOUGH_AHEAD_MS) return;
  hungry = true;
  post({ type: 'hungry' });
}

function receive(message: ToVideoWorker, film: Film): void {
  switch (message.type) {
    case 'line':
      film.add(message.line, lineSound(message.chunks));
      progress.add(film.lengthMs, message.share);
      hungry = false;
      return askForMore(film);
    case 'complete':
      film.complete();
      state = 'completing';
      return;
    case 'cancel': return over(null);
  }
}

port.on('message', (message: ToVideoWorker) => {
  if (film === null || state === 'over') return;
  try {
    receive(message, film);
  } catch (error) {
    return over({ type: 'failed', message: textOf(error) });
  }
  void work(film);
});
