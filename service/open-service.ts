import { join, resolve } from 'node:path';
import * as timers from 'node:timers/promises';
import {
  buildApp,
  endLostSessions,
  HandOvers,
  JournalsInRedis,
  JournalsOfSupervisor,
  SealedJournals,
  claimsInMemory,
  claimsInPostgres,
  closeJobs,
  ensureFirstKey,
  holdEngineName,
  keepHouse,
  localUrl,
  Knowledge,
  openBlobs,
  openBlobsInS3,
  openDataFolder,
  openJobs,
  openRedis,
  openStore,
  openTraces,
  registryOfSupervisor,
  Reservations,
  SessionStore,
  SlotsInRedis,
  SlotsOfSupervisor,
  traceTurns,
  type Settings,
  type Supervisor,
} from '../control/index.ts';
import { systemTimers } from '../runtime/clock.ts';
import {
  absentEngine,
  bindAddresses,
  IceCredentialMaker,
  LatencyTable,
  openEngine,
  VERSION,
  type FoundModels,
  type Logger,
  type RunningEngine,
  type SessionPast,
} from '../engine/index.ts';
import { stockCatalogue } from './catalogue.ts';
import { engineCount, engineIds, settingsOfEngine } from './engine-count.ts';
import { engineSettings } from './engine-settings.ts';
import { clusterOf } from './cluster-of.ts';
import { drawFacesAhead, type FacesAheadOfTime } from './faces-ahead.ts';
import { keepLatencies } from './kept-latencies.ts';
import type { Guard } from './guard/meet-guard.ts';
import { listenAddress } from './listen-address.ts';
import { loadLibraries } from './load-libraries.ts';
import { localModels, modelLibrary } from './local-models.ts';
import { facesOf, noMeetingsOf, openMachine } from './machine.ts';
import { openMeetings } from './meetings.ts';
import { openPhotos } from './photos.ts';
import { previewRenderer, avatarMaker, controlPorts } from './ports.ts';
import { serveSupervisor } from './serve-supervisor.ts';
import { readStockLlms } from './stock-llms.ts';
import { noteRecordings } from './note-recordings.ts';
import { openSecrets } from './open-secrets.ts';
import { openVideos } from './videos.ts';
import { openVoiceAccounts } from './voice-accounts.ts';
import { voiceCloners } from './voice-cloners.ts';

/**
 * How long sessions may be handed over when the service is to stop, and what they said waits for the database, ms. Each
 * waits for its client to check its path and come back, 6.3 s at most (`send-away.ts`). A stop is killed after 10 s or more.
 */
const HAND_OVER_WITHIN_MS = 7000;

/** Where engine processes listen for their supervisor. */
const LOOPBACK = '127.0.0.1';

export interface OpenService {
  /** Where this machine reaches it. */
  readonly url: string;
  /** The API key that was just made, at the first start without `PARLEY_API_KEY`; never again. */
  readonly firstKey: string | null;
  /** Why personas cannot go into meetings; null: they can. */
  readonly noMeetings: string | null;
  /** Neural models that are here. */
  readonly local: FoundModels;
  /** Not started yet. */
  readonly faces: FacesAheadOfTime;
  /** How many engines it has: more than one are processes of their own. */
  readonly engines: number;
  /** No further session is taken, here or from other processes. Those that are live go on. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** What has started this process. */
interface Parents {
  /** It is one of several engine processes. @defaultValue it is the service */
  readonly supervisor?: Supervisor | null;
  /** @defaultValue it has none */
  readonly guard?: Guard | null;
}

/**
 * Connects control plane and engine in one process, and listens.
 * @param restart closes the service and opens it again: for models that were fetched meanwhile.
 * @throws when a part cannot start.
 */
export async function openService(
  given: Settings,
  log: Logger,
  restart: () => void,
  { supervisor = null, guard = null }: Parents = {},
): Promise<OpenService> {
  const count = supervisor === null ? engineCount(given) : 1;
  const settings = {
    ...(supervisor === null ? given : settingsOfEngine(given, supervisor.beginning)),
    PARLEY_HOST: await listenAddress(given.PARLEY_HOST),
    // What supervises engines has none of its own.
    ...(count > 1 && { PARLEY_ROLE: 'control' as const }),
  };
  const dataDir = resolve(settings.PARLEY_DATA_DIR);
  // The supervisor holds it for its engines.
  const folder = supervisor === null ? await openDataFolder(dataDir, log) : null;
  const now = Date.now;
  const store = await openStore({
    dataDir,
    databaseUrl: settings.DATABASE_URL,
    warn: (message) => log.warn(message),
  });
  const name =
    settings.DATABASE_URL === undefined
      ? null
      : await holdEngineName(settings.DATABASE_URL, settings.PARLEY_ENGINE_ID, log);
  const claims = settings.DATABASE_URL === undefined ? claimsInMemory() : claimsInPostgres(settings.DATABASE_URL);
  const redis = settings.REDIS_URL === undefined ? null : await openRedis(settings.REDIS_URL, log);
  const jobs = await openJobs(settings.REDIS_URL, { timers: systemTimers, log });
  const slotsInRedis =
    redis === null || supervisor !== null ? null : new SlotsInRedis(redis, { timers: systemTimers, now, log });
  const secrets = await openSecrets(settings, dataDir, store, log);
  // Every process of the deployment has them, so each can refuse the clients of one that died.
  const iceKey = secrets.derive('ice-credentials')[0]!.bytes;
  const iceCredentials = new IceCredentialMaker(iceKey);
  const knownKey = settings.PARLEY_API_KEY ?? null;
  if (knownKey !== null && supervisor === null) await ensureFirstKey(store, knownKey, now());
  const caches = openBlobs(join(dataDir, 'blobs'));
  const bucket = await openBlobsInS3(settings, caches, log);
  const blobs = bucket ?? caches;
  const photos = openPhotos({ dataDir, store, bucket, log });
  const sessions = new SessionStore({ store, log, now, keepEvents: settings.PARLEY_EVENT_LOG, recordings: bucket });
  const traces = await openTraces(process.env, VERSION);
  if (traces !== null) sessions.listen(traceTurns(traces));
  const local = await localModels(settings, log);
  const listedLlms = readStockLlms(settings.PARLEY_STOCK_LLMS ?? null, process.env);
  const latencies = new LatencyTable();
  const keptLatencies = supervisor === null ? await keepLatencies(dataDir, latencies, log) : null;
  const voiceAccounts = await openVoiceAccounts(settings, dataDir, log);
  const toldVoices = voiceAccounts.traitsOf;
  const hasEngine = settings.PARLEY_ROLE !== 'control';
  const journals =
    hasEngine && redis !== null && supervisor === null && settings.PARLEY_NODE_URL !== undefined
      ? new JournalsInRedis({
          redis,
          engineId: settings.PARLEY_ENGINE_ID,
          region: settings.PARLEY_REGION,
          lost: (sessionId) => engine.lose(sessionId),
          timers: systemTimers,
          log,
        })
      : null;
  const keptJournals = supervisor === null ? journals : new JournalsOfSupervisor(supervisor, systemTimers);
  const sealedJournals = keptJournals === null ? null : new SealedJournals(keptJournals, secrets.derive('journals'));
  const ofEngine = engineSettings(settings, local);
  if (hasEngine) await guard?.portsFree();
  const engine: RunningEngine = hasEngine
    ? await openEngine(
        {
          ...ofEngine,
          latencies,
          toldVoices,
          sharedPhotos: photos.shared,
          traces: traces !== null,
          portOwner: supervisor?.ports,
          iceCredentials,
          siblings: supervisor === null ? null : { engines: supervisor.beginning.engines, parentPid: process.ppid },
        },
        sessions,
        log,
        sealedJournals,
      )
    : absentEngine(log);
  if (hasEngine)
    guard?.tell({
      kind: 'hasPorts',
      ports: {
        ips: bindAddresses(ofEngine.publicAddresses, ofEngine.bindAddress),
        udpPort: engine.udpPort,
        key: iceKey,
      },
    });
  if (hasEngine && engine.tcpPort === null && settings.PARLEY_ICE_TCP_PORT !== 'off')
    log.warn(
      'There is no TCP port for media, because the number of the UDP port is in use: clients whose networks block UDP cannot connect. Set PARLEY_ICE_TCP_PORT to another port, or to off.',
    );
  const machine =
    count > 1
      ? await openMachine({ count, settings, store, sessions, ledger: slotsInRedis, iceCredentials, log })
      : null;
  const slotLedger =
    machine?.ledger ?? slotsInRedis ?? (supervisor === null ? undefined : new SlotsOfSupervisor(supervisor));
  const ports = await controlPorts(settings, log, latencies, listedLlms);
  const catalogue = stockCatalogue(settings, engine, local, listedLlms, voiceAccounts);
  const embedderIsZdr = catalogue.isZdr.embeddings;
  const knowledge = new Knowledge({
    store,
    blobs,
    embedder: ports.embedder,
    embedderIsZdr,
    log,
    now,
    claims,
    jobs: bucket === null ? jobs.ofProcess : jobs.ofService,
  });
  const meetings = await openMeetings(settings, dataDir, log);
  const reservations = new Reservations(now);
  const videos = openVideos({
    store,
    blobs,
    log,
    now,
    claims,
    jobs: jobs.ofService,
    reservations,
    engine: hasEngine && supervisor === null ? engine : null,
    engines: machine?.engines ?? null,
  });
  const liveSessions = (): number => (machine === null ? engine.liveSessions() : machine.engines.liveSessions);
  const library =
    (hasEngine || machine !== null) && supervisor === null
      ? modelLibrary(settings, { notes: local.notes, isIdle: () => liveSessions() === 0, restart, log })
      : null;
  const faces = drawFacesAhead({ engine, avatars: catalogue.avatars, log });
  const cluster = clusterOf({
    settings,
    redis,
    registry: machine?.registry ?? (supervisor === null ? null : registryOfSupervisor(supervisor)),
    ...(supervisor !== null && { nodeUrl: () => localUrl(app.server, LOOPBACK) }),
    engine,
    journals,
    reservations,
    keys: secrets.derive('internal-requests'),
    log,
  });
  let state: 'open' | 'draining' = 'open';
  async function drain(): Promise<void> {
    state = 'draining';
    engine.drain();
    await machine?.engines.drain();
    await cluster?.drain();
    await handOvers?.run('in any case');
  }
  const handOvers =
    cluster === null || supervisor !== null || machine !== null
      ? null
      : new HandOvers({ engine, cluster, timers: systemTimers, log });
  let goOnHere: (past: SessionPast) => Promise<void> = async () => {};
  const app = await buildApp({
    settings,
    traces,
    store,
    blobs,
    caches,
    engine,
    sessions,
    knowledge,
    catalogue,
    ports: {
      ...ports,
      faces: machine === null ? faces : facesOf(machine.engines),
      avatarMaker: avatarMaker(engine),
      previewRenderer: previewRenderer(engine),
      ...meetings,
      videos,
      voiceSpeaker: { speak: (request) => engine.speakText(request) },
      voiceCloners: voiceCloners(voiceAccounts),
      localModels: library,
    },
    masterKeys: secrets,
    reservations,
    redis,
    jobs,
    slotLedger,
    machine: machine?.engines ?? null,
    cluster,
    // Its supervisor drains the engine itself.
    draining: () => state === 'draining' || (hasEngine && !engine.status().ready),
    drain: () => void drain().catch((error: unknown) => log.error({ err: error }, 'sessions could not be handed over')),
    canTakeOver(takeOver) {
      const goOnWith = async (past: SessionPast): Promise<void> => {
        try {
          await takeOver(sealedJournals!.openPast(past));
        } catch (error) {
          sealedJournals!.dropPast(past.sessionId);
          throw error;
        }
      };
      goOnHere = goOnWith;
      if (supervisor !== null) return;
      cluster?.takeSessionsOver({
        goOnWith,
        expect: (past) => engine.expect(sealedJournals!.openAhead(past)),
        expectNoMore: (sessionId) => sealedJournals!.dropAhead(sessionId),
        giveUp: (sessionIds) => {
          log.error({ sessionIds }, 'sessions of a lost engine could not go on anywhere');
          void endLostSessions({ store, sessions, log }, sessionIds, now());
        },
      });
    },
    log,
  });
  engine.attach(app.server, cluster?.passSocketOn.bind(cluster));
  if (supervisor === null) await noteRecordings(store, sessions, join(dataDir, 'recordings'), bucket !== null);
  const house =
    supervisor !== null
      ? null
      : await keepHouse({
          settings,
          engineIds: engineIds(settings.PARLEY_ENGINE_ID),
          store,
          sessions,
          blobs,
          sharesFiles: bucket !== null,
          knowledge,
          videos,
          jobs,
          log,
          now,
          timers: systemTimers,
          claims,
          ...(cluster !== null && machine === null && { goOn: (sessionIds) => cluster.goOn(sessionIds) }),
        });
  await machine?.start();
  await app.listen(
    supervisor === null ? { host: settings.PARLEY_HOST, port: settings.PORT } : { host: LOOPBACK, port: 0 },
  );
  await cluster?.start();
  if (supervisor === null) photos.keep(engine.forgetAvatar);
  void loadLibraries();
  // Not before: a start that fails, for example because the port is in use, would make a key that nobody ever sees.
  const firstKey = knownKey === null && supervisor === null ? await ensureFirstKey(store, null, now()) : null;
  const noMeetings = machine === null ? (meetings.noMeetings?.why ?? null) : noMeetingsOf(machine.engines);
  const endTelling =
    supervisor === null
      ? () => {}
      : serveSupervisor(supervisor, { engine, cluster, faces, app, noMeetings, goOnWith: (past) => goOnHere(past) });
  return {
    url: localUrl(app.server, settings.PARLEY_HOST),
    firstKey,
    faces,
    local,
    engines: count,
    noMeetings,
    drain,
    async close() {
      state = 'draining';
      library?.close();
      faces.close();
      // Engine processes end meanwhile: their limit is most of the time that a stop may take.
      const ended = machine?.engines.stop();
      await Promise.all([videos.close(), cluster?.drain()]);
      const late = timers.setTimeout(HAND_OVER_WITHIN_MS, null, { ref: false });
      await Promise.race([handOvers?.run('with others').then(() => sessions.flush()), late]);
      handOvers?.stop();
      endTelling();
      await ended;
      await engine.close();
      await voiceAccounts.close();
      await app.close();
      await meetings.meetings?.close();
      await keptLatencies?.close();
      await photos.close();
      await house?.close();
      await knowledge.close();
      await closeJobs(jobs);
      await claims.close();
      await sessions.close();
      await cluster?.close();
      journals?.close();
      await bucket?.close();
      await slotsInRedis?.close();
      await machine?.close();
      await redis?.quit().catch(() => redis.disconnect());
      await traces?.close();
      await store.close();
      await name?.release();
      folder?.release();
    },
  };
}
