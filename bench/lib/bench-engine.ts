import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { SessionReportEntry } from '../../actors/report.ts';
import { systemTimers } from '../../runtime/clock.ts';
import { AVATAR_CATALOGUE, createFace, type FaceEngine, type WorkerStats } from '../../engine/face/index.ts';
import { createAudioIn } from '../../engine/audio-in/index.ts';
import { isLocal, type RecognizerChoice } from '../../models/stt/registry.ts';
import type { SessionJournals } from '../../engine/session/journal/journal.ts';
import type { Engine, SessionSink, Transport } from '../../engine/ports.ts';
import { createRecording } from '../../engine/recording/index.ts';
import { calibrate, type Calibration } from '../../engine/capacity/calibrate.ts';
import { watchCapacity, type Capacity } from '../../engine/capacity/index.ts';
import type { Logger } from '../../runtime/log.ts';
import { raiseHeapGrowthLimit } from '../../runtime/heap-growth-limit.ts';
import { createEngine } from '../../engine/session/engine.ts';
import { createTransport } from '../../engine/transport/index.ts';
import { createAudioOut } from '../../engine/audio-out/index.ts';
import { createFakeSynthesizer, type FakeSynthesizerOptions } from '../../models/fakes/index.ts';
import { createOfflineSynthesizer } from '../../models/tts/offline.ts';

export interface BenchEngine {
  readonly engine: Engine;
  /** Where to open the signaling WebSocket. */
  readonly url: string;
  /** Of the media. */
  readonly udpPort: number;
  readonly engineKey: string;
  /** What the service says of its places and its promise. */
  readonly capacity: Capacity;
  /** One entry per video thread. */
  videoStats(): readonly WorkerStats[];
  /** Report entries of each session, in order. */
  readonly entries: ReadonlyMap<string, SessionReportEntry[]>;
  /** Lines of the flight recorder of each session without zero data retention. */
  readonly logs: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

export interface BenchEngineOptions {
  readonly recognizer: RecognizerChoice;
  /** Synthesizer of the TTS provider `FAKE`. `LOCAL` is the offline synthesizer. */
  readonly synthesizer: FakeSynthesizerOptions;
  /** `auto`: as many sessions as the service would take on this machine. @defaultValue 100 */
  readonly capacity?: number | 'auto';
  /** Video threads. @defaultValue as many as the engine would start */
  readonly videoWorkers?: number;
  /**
   * Folder in which avatars and idle loops are kept between runs. @defaultValue a new folder that is removed with the
   * engine
   */
  readonly avatarCache?: string;
  /** Whether idle loops are drawn, which takes most of a core for minutes. @defaultValue true */
  readonly idleLoops?: boolean;
  /** In order of preference. @defaultValue H.264, then VP8 */
  readonly videoCodecs?: readonly ('h264' | 'vp8')[];
  /** @defaultValue 720×480 */
  readonly size?: { readonly width: number; readonly height: number };
  /** Wraps the engine's transport, to observe what is sent. */
  readonly wrapTransport?: (transport: Transport) => Transport;
  /** Keeps what sessions need to go on elsewhere. @defaultValue nobody does */
  readonly journals?: SessionJournals;
  /** Gets the engine's warnings, line by line. @defaultValue they are printed, from the level of PARLEY_LOG_LEVEL on */
  readonly onWarning?: (line: string) => void;
}

/** The real engine. Only STT, LLM and TTS are stand-ins. */
export async function startBenchEngine(options: BenchEngineOptions): Promise<BenchEngine> {
  raiseHeapGrowthLimit();
  const log = logOf(options);
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const entries = new Map<string, SessionReportEntry[]>();
  const logs = new Map<string, string>();
  const sink = keptSink(entries, logs);
  const { avatarCache, videoWorkers: workers, idleLoops = true } = options;
  const cacheDir = avatarCache ?? join(dataDir, 'avatars');
  const face = createFace({ cacheDir, log, idleLoops, ...(workers !== undefined && { workers }) });
  const offline = createOfflineSynthesizer();
  const synthesizers = { FAKE: createFakeSynthesizer(options.synthesizer), LOCAL: offline };
  const audioIn = createAudioIn({ recognizers: [options.recognizer], log });
  const { videoCodecs } = options;
  const transport = await createTransport({
    publicAddress: '127.0.0.1',
    udpPort: 0,
    log,
    ...(videoCodecs && { videoCodecs }),
  });
  // As a service with the default limit does.
  const measured = await calibrate(options.avatarCache ?? dataDir);
  if (measured !== null) face.encodeWith(measured.motionPrecision);
  const capacity = capacityOf(options, { face, dataDir, measured, liveSessions: () => engine.liveSessions() }, log);
  const engine: Engine = createEngine({
    transport: options.wrapTransport?.(transport) ?? transport,
    audioIn,
    face,
    recording: createRecording({ folder: join(dataDir, 'recordings'), log }),
    audioOut: createAudioOut({ synthesizers, timers: systemTimers, log }),
    fetch: globalThis.fetch,
    endOfTurnModelAvailable: false,
    journals: options.journals ?? null,
    sink,
    log,
    capacity,
  });
  const engineKey = AVATAR_CATALOGUE[0]?.engineKey ?? '';
  const { width, height } = options.size ?? { width: 720, height: 480 };
  await Promise.all([audioIn.ready(), face.prepared(engineKey, width, height)]);
  const server = await serve(engine);
  return {
    engine,
    capacity,
    engineKey,
    udpPort: transport.udpPort,
    entries,
    logs,
    videoStats: () => face.stats(),
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`,
    async close() {
      capacity.close();
      await engine.close();
      await offline.close();
      server.closeAllConnections();
      server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** @returns the server of its signaling, on a free port. */
async function serve(engine: Engine): Promise<Server> {
  const server = createServer();
  engine.attach(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function logOf({ onWarning }: BenchEngineOptions): Logger {
  return onWarning === undefined
    ? pino({ level: process.env['PARLEY_LOG_LEVEL'] ?? 'error' })
    : pino({ level: 'warn' }, { write: onWarning });
}

function keptSink(entries: Map<string, SessionReportEntry[]>, logs: Map<string, string>): SessionSink {
  return {
    started: ({ sessionId }) => void entries.set(sessionId, []),
    entry: (sessionId, entry) => void entries.get(sessionId)?.push(entry),
    log: (sessionId, lines) => void logs.set(sessionId, (logs.get(sessionId) ?? '') + lines),
    entryAgain: () => undefined,
    left: async () => undefined,
    closed: () => undefined,
    recording: () => undefined,
  };
}

function capacityOf(
  { capacity: wanted = 100, recognizer }: BenchEngineOptions,
  machine: {
    readonly face: FaceEngine;
    readonly dataDir: string;
    readonly measured: Calibration | null;
    readonly liveSessions: () => number;
  },
  log: Logger,
): Capacity {
  const { face, dataDir, measured, liveSessions } = machine;
  return watchCapacity({
    wanted,
    dataDir,
    liveSessions,
    framesLateMs: () => face.framesLateMs(),
    work: { recognizesHere: isLocal(recognizer) },
    save: wanted === 'auto' ? face.save : () => {},
    encodeWith: face.encodeWith,
    measure: () => Promise.resolve(measured),
    log,
    timers: systemTimers,
  });
}
