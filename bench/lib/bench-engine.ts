import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { SessionReportEntry } from '../../actors/report.ts';
import { systemTimers } from '../../engine/clock.ts';
import { AVATAR_CATALOGUE, createFace } from '../../engine/face/index.ts';
import { createHearing, type RecognizerSettings } from '../../engine/hearing/index.ts';
import type { Engine, SessionSink } from '../../engine/ports.ts';
import { createRecording } from '../../engine/recording/index.ts';
import { createEngine } from '../../engine/session/engine.ts';
import { createTransport } from '../../engine/transport/index.ts';
import { createVoice } from '../../engine/voice/index.ts';
import { createFakeSynthesizer, type FakeSynthesizerOptions } from '../../models/fakes/index.ts';

export interface BenchEngine {
  readonly engine: Engine;
  /** Where to open the signalling WebSocket. */
  readonly url: string;
  readonly engineKey: string;
  /** Report entries by session, in order. */
  readonly entries: ReadonlyMap<string, SessionReportEntry[]>;
  close(): Promise<void>;
}

/** The real engine with stand-ins only for what thinks, understands and speaks. */
export async function startBenchEngine(options: { recognizer: RecognizerSettings; synthesizer: FakeSynthesizerOptions; capacity?: number }): Promise<BenchEngine> {
  const log = pino({ level: process.env['PARLEY_LOG_LEVEL'] ?? 'error' });
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const entries = new Map<string, SessionReportEntry[]>();
  const sink: SessionSink = {
    started: ({ sessionId }) => void entries.set(sessionId, []),
    entry: (sessionId, entry) => void entries.get(sessionId)?.push(entry),
    log: () => undefined,
    recording: () => undefined,
  };
  const face = createFace({ cacheDir: join(dataDir, 'avatars'), log });
  const hearing = createHearing({ recognizer: options.recognizer, log });
  const transport = await createTransport({ publicAddress: '127.0.0.1', bindAddress: '127.0.0.1', udpPort: 0, log });
  const engine = createEngine({
    transport,
    hearing,
    face,
    recording: createRecording({ folder: join(dataDir, 'recordings'), log }),
    voice: createVoice({ synthesizers: { FAKE: createFakeSynthesizer(options.synthesizer) }, timers: systemTimers, log }),
    fetch: globalThis.fetch,
    endOfTurnModelAvailable: false,
    sink,
    log,
    capacity: options.capacity ?? 100,
  });
  const engineKey = AVATAR_CATALOGUE[0]?.engineKey ?? '';
  await Promise.all([hearing.ready(), face.prepare(engineKey, 720, 480)]);
  const server = createServer();
  engine.attach(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    engine,
    engineKey,
    entries,
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`,
    async close() {
      await engine.close();
      server.closeAllConnections();
      server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
