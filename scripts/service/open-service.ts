import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import {
  buildApp, endInterruptedSessions, ensureFirstKey, Knowledge, masterKeys, openBlobs, openRetention, openStore, SessionStore, storedMasterKey,
  type Settings, type Store,
} from '../../control/index.ts';
import { openEngine, recordingsIn, type Logger } from '../../engine/index.ts';
import { stockCatalogue } from './catalogue.ts';
import { engineSettings } from './engine-settings.ts';
import { FIRST_PERSONAS } from './first-personas.ts';
import { controlPorts } from './ports.ts';

export interface OpenService {
  /** Where this machine reaches it. */
  readonly url: string;
  /** The API key that was just made, at the first start without `PARLEY_API_KEY`; never again. */
  readonly firstKey: string | null;
  close(): Promise<void>;
}

/** Connects control plane and engine in one process, and listens. @throws when a part cannot start. */
export async function openService(settings: Settings, log: Logger): Promise<OpenService> {
  const dataDir = resolve(settings.PARLEY_DATA_DIR);
  const now = Date.now;
  const store = await openStore({ dataDir, databaseUrl: settings.DATABASE_URL });
  const fresh = await isFresh(store);
  const firstKey = await ensureFirstKey(store, settings.PARLEY_API_KEY ?? null, now());
  const blobs = openBlobs(join(dataDir, 'blobs'));
  const sessions = new SessionStore({ store, log, now, keepEvents: settings.PARLEY_EVENT_LOG });
  await takeUpUnfinished(store, sessions, join(dataDir, 'recordings'), settings, log);
  const engine = await openEngine(engineSettings(settings), sessions, log);
  const ports = await controlPorts(settings);
  const knowledge = new Knowledge({ store, blobs, embedder: ports.embedder, log, now });
  const app = await buildApp({
    settings,
    store,
    blobs,
    engine,
    sessions,
    knowledge,
    catalogue: stockCatalogue(settings, engine),
    ports: { ...ports, avatarMaker: null, meetings: null, videos: null, voiceCloner: null },
    masterKeys: masterKeys([settings.PARLEY_MASTER_KEY ?? (await storedMasterKey(dataDir))]),
    log,
  });
  engine.attach(app.server);
  await knowledge.resume();
  const retention = openRetention({ store, blobs, retentionDays: settings.PARLEY_RETENTION_DAYS, log, now });
  if (fresh) await addFirstPersonas(app, settings.PARLEY_API_KEY ?? firstKey ?? '', log);
  await app.listen({ host: settings.PARLEY_HOST, port: settings.PORT });
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : settings.PORT;
  const host = settings.PARLEY_HOST === '0.0.0.0' || settings.PARLEY_HOST === '::' ? '127.0.0.1' : settings.PARLEY_HOST;
  return {
    url: `http://${host}:${port}`,
    firstKey,
    async close() {
      await engine.close();
      await app.close();
      await retention.close();
      await knowledge.close();
      await sessions.flush();
      await store.close();
    },
  };
}

/** Whether nobody has used this database yet. */
async function isFresh(store: Store): Promise<boolean> {
  return (await store.db.selectFrom('organizations').select('id').limit(1).executeTakeFirst()) === undefined;
}

/** What a killed service left behind: sessions that look live, recordings that nobody noted. */
async function takeUpUnfinished(store: Store, sessions: SessionStore, folder: string, settings: Settings, log: Logger): Promise<void> {
  const ended = await endInterruptedSessions(store, settings.PARLEY_ENGINE_ID, Date.now());
  if (ended > 0) log.warn({ sessions: ended }, 'sessions were cut off when the service stopped');
  const noted = new Set((await store.db.selectFrom('recordings').select('session_id').execute()).map((row) => row.session_id));
  const known = new Set((await store.db.selectFrom('sessions').select('id').execute()).map((row) => row.id));
  for (const { sessionId, ...file } of recordingsIn(folder)) {
    if (!noted.has(sessionId) && known.has(sessionId)) sessions.recording(sessionId, file);
  }
}

/** Through the API itself, so they are as valid as anybody's. */
async function addFirstPersonas(app: FastifyInstance, key: string, log: Logger): Promise<void> {
  for (const persona of FIRST_PERSONAS.toReversed()) {
    const response = await app.inject({ method: 'POST', url: '/v1/personas', headers: { authorization: `Bearer ${key}` }, payload: persona });
    if (response.statusCode !== 201) log.warn({ persona: persona.name, status: response.statusCode }, 'a first persona could not be made');
  }
}
