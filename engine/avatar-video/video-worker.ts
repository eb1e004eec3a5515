import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { drawLabel } from '../face/rendering/disclosure.ts';
import { PatchRenderer } from '../face/rendering/patch-renderer.ts';
import { unpackAvatar } from '../face/rendering/prepared-file.ts';
import { inCriticalSection } from '../../runtime/critical-section.ts';
import { LOWEST_PRIORITY, lowerThreadPriority } from '../../runtime/thread-priority.ts';
import { VideoComposer } from './video-composer.ts';
import { ScriptProgress } from './script-progress.ts';
import { sentenceAudio } from './sentence-audio.ts';
import { FRAMES_PER_TURN, type FromVideoWorker, type ToVideoWorker, type VideoWorkerData } from './messages.ts';

const FRAMES_PER_REPORT = 25;
/** Sound that waits for frames: enough that the voice is never waited for, little enough to hold in memory. */
const ENOUGH_AHEAD_MS = 12_000;

/** A thread that makes one video and ends. */
const port = parentPort as MessagePort;
const post = (message: FromVideoWorker): void => port.postMessage(message);
const data = workerData as VideoWorkerData;
lowerThreadPriority(LOWEST_PRIORITY);

const composer = inCriticalSection(openComposer);
const progress = new ScriptProgress();
let state: 'taking sentences' | 'completing' | 'over' = 'taking sentences';
let hungry = true;
let working = false;

function openComposer(): VideoComposer | null {
  try {
    const avatar = unpackAvatar(data.prepared);
    const label = data.disclosure === null ? null : drawLabel(data.disclosure, avatar.height);
    return new VideoComposer({ ...data, renderer: new PatchRenderer(avatar), label });
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
  composer?.discard();
  if (last !== null) post(last);
  port.close();
}

/** Makes frames as long as there are any to make. */
async function work(composer: VideoComposer): Promise<void> {
  if (working) return;
  working = true;
  try {
    let made = 0;
    while (goesOn() && inCriticalSection(() => composer.makeFrame())) {
      made += 1;
      askForMore(composer);
      if (made % FRAMES_PER_REPORT === 0) post({ type: 'progress', share: progress.at(composer.madeMs) });
      if (made % FRAMES_PER_TURN === 0) await nextTurn();
    }
    if (state === 'completing') over({ type: 'finished', ...inCriticalSection(() => composer.finish()) });
  } catch (error) {
    over({ type: 'failed', message: textOf(error) });
  }
  working = false;
}

function askForMore(composer: VideoComposer): void {
  if (hungry || state !== 'taking sentences' || composer.aheadMs > ENOUGH_AHEAD_MS) return;
  hungry = true;
  post({ type: 'hungry' });
}

function receive(message: ToVideoWorker, composer: VideoComposer): void {
  switch (message.type) {
    case 'sentence':
      composer.add(message.sentence, sentenceAudio(message.chunks));
      progress.add(composer.lengthMs, message.share);
      hungry = false;
      return askForMore(composer);
    case 'complete':
      composer.complete();
      state = 'completing';
      return;
    case 'cancel':
      return over(null);
  }
}

port.on('message', (message: ToVideoWorker) => {
  if (composer === null || state === 'over') return;
  try {
    receive(message, composer);
  } catch (error) {
    return over({ type: 'failed', message: textOf(error) });
  }
  void work(composer);
});
