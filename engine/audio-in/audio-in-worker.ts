import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { engineNow, systemTimers } from '../../runtime/clock.ts';
import { releaseMemoryWhenIdle, THREAD_MEMORY } from '../../runtime/idle-memory.ts';
import { inCriticalSection } from '../../runtime/critical-section.ts';
import { loadSmartTurn } from '../../models/end-of-turn/smart-turn.ts';
import { openNoiseFilters } from '../../models/noise/registry.ts';
import { openRecognizers } from '../../models/stt/registry.ts';
import { createSileroVad } from '../../models/vad/silero.ts';
import type { AudioWindow } from './receive/user-audio.ts';
import { unpackPackets, type PackedPackets } from './receive/packet-batch.ts';
import { isStale } from './receive/stale-audio.ts';
import type { FromAudioIn, AudioInReport, AudioInWorkerData, ToAudioIn } from './messages.ts';
import { SessionAudioIn } from './session-audio-in.ts';
import type { SharedModels } from './session-audio-in.ts';
import { runVad } from './vad/vad-batch.ts';
import type { DueWindow } from './vad/vad-queue.ts';

/**
 * A thread for the incoming audio of all sessions. Packets come as messages, and results go back in batches. Decoding,
 * noise filter, VAD and recognition run here, so the main thread never touches samples.
 */

/** How often the jitter buffer and the silence are looked at when no packets come. */
const TICK_MS = 20;

const port = parentPort as MessagePort;
const settings = workerData as AudioInWorkerData;

function post(message: FromAudioIn): void {
  port.postMessage(message);
}

function warn(message: string, error: unknown): void {
  post({ type: 'warning', message, detail: error instanceof Error ? error.message : String(error) });
}

function openNoise(): SharedModels['noise'] {
  try {
    return openNoiseFilters(settings.noise) ?? 'off';
  } catch (error) {
    warn('The noise filter cannot be used; sessions go on without it.', error);
    return 'unavailable';
  }
}

function openEndOfTurn(): SharedModels['endOfTurn'] {
  if (settings.endOfTurnModel === null) return null;
  try {
    return loadSmartTurn(settings.endOfTurnModel);
  } catch (error) {
    warn('The end-of-turn model cannot be used; turns are decided without it.', error);
    return null;
  }
}

const vad = createSileroVad();
const models: SharedModels = {
  noise: openNoise(),
  recognizer: await openRecognizers(
    settings.recognizers,
    {
      modelsDir: settings.modelsDir,
      localRecognizers: settings.localRecognizers,
      warn: (message) => post({ type: 'warning', message, detail: '' }),
    },
    {
      measured: (result, provider, ms) => post({ type: 'measured', result, provider, ms }),
      failed: (provider, code) => post({ type: 'recognizerFailed', provider, code }),
    },
  ),
  keyTerms: settings.keyTerms,
  endOfTurn: openEndOfTurn(),
  timers: systemTimers,
  warn,
};
const sessions = new Map<number, SessionAudioIn>();
let outgoing: AudioInReport[] = [];
let flushing: 'idle' | 'scheduled' = 'idle';
let vadRun: 'none' | 'scheduled' = 'none';

function report(session: number, heard: AudioInReport['heard']): void {
  outgoing.push({ session, heard });
  if (flushing === 'scheduled') return;
  flushing = 'scheduled';
  setImmediate(() => {
    flushing = 'idle';
    const reports = outgoing;
    outgoing = [];
    // Of the sound that is recorded nothing stays here.
    const recorded = reports.flatMap(({ heard }) => (heard.type === 'audio' ? [heard.pcm.buffer as ArrayBuffer] : []));
    port.postMessage({ type: 'heard', reports } satisfies FromAudioIn, recorded);
  });
}

/** In rounds: a later window of a session needs the state that the earlier one leaves. */
function runVadOnQueued(): void {
  let waiting = [...sessions.values()];
  while (waiting.length > 0) {
    const due: { session: SessionAudioIn; lanes: SessionAudioIn['lanes']; window: AudioWindow; next: DueWindow }[] = [];
    for (const session of waiting) {
      const next = session.nextForVad();
      if (next !== null) due.push({ session, lanes: session.lanes, window: next.window, next });
    }
    const probabilities = runVad(vad, due);
    due.forEach(({ session, next }, index) => session.judged(next, probabilities[index] as number));
    waiting = due.map(({ session }) => session);
  }
}

/** After all messages that have come: 32 windows in one run cost as much as about ten runs of one window. */
function scheduleRun(): void {
  if (vadRun === 'scheduled') return;
  vadRun = 'scheduled';
  setImmediate(() => {
    vadRun = 'none';
    inCriticalSection(runVadOnQueued);
  });
}

function tick(): void {
  const now = engineNow();
  for (const session of sessions.values()) session.tick(now);
  scheduleRun();
}

async function shutDown(): Promise<void> {
  for (const session of sessions.values()) session.close();
  sessions.clear();
  await models.recognizer.close();
  await models.endOfTurn?.close();
  await vad.close();
  clearInterval(ticker);
  port.close();
}

function hear(packets: PackedPackets): void {
  const now = engineNow();
  unpackPackets(packets, (session, packet) => {
    if (!isStale(packet.arrivedAt, readyAt, now)) sessions.get(session)?.userAudio.packet(packet);
  });
  scheduleRun();
}

function open(options: Extract<ToAudioIn, { type: 'open' }>): void {
  const { session } = options;
  sessions.set(session, new SessionAudioIn(options, models, (heard) => report(session, heard)));
}

function receive(message: ToAudioIn): void {
  if (message.type === 'shutdown') return void shutDown();
  if (message.type === 'packets') return hear(message);
  if (message.type === 'open') return open(message);
  const session = sessions.get(message.session);
  if (session === undefined) return;
  switch (message.type) {
    case 'finish':
      // Audio that arrived before belongs to this utterance. The same holds for 'reset'.
      runVadOnQueued();
      return session.finish();
    case 'reset':
      runVadOnQueued();
      return session.reset();
    case 'askEndOfTurn':
      runVadOnQueued();
      return session.askEndOfTurn();
    case 'configure':
      return session.configure(message);
    case 'close':
      sessions.delete(message.session);
      return session.close();
  }
}

port.on('message', (message: ToAudioIn) => inCriticalSection(() => receive(message)));
const ticker = setInterval(() => inCriticalSection(tick), TICK_MS);
releaseMemoryWhenIdle(() => sessions.size === 0, systemTimers, THREAD_MEMORY);
const readyAt = engineNow();
post({ type: 'ready', languages: models.recognizer.languages });
void Promise.resolve(models.recognizer.ready?.()).then(() => post({ type: 'recognizing' }));
