import type { FastifyInstance } from 'fastify';
import {
  buildApp,
  Knowledge,
  Reservations,
  type AppOptions,
  type Catalogue,
  type ControlPorts,
} from '../../control/index.ts';
import type { RunningEngine } from '../../engine/index.ts';
import { stockCatalogue } from '../catalogue/catalogue.ts';
import type { Foundation } from './foundation.ts';
import { openMeetings, type Meetings } from './meetings.ts';
import { avatarMaker, controlPorts, previewRenderer } from './ports.ts';
import { openVideos } from './videos.ts';
import { voiceCloners } from './voice-cloners.ts';

/** What the control plane of a process works with, before it has routes. */
export interface ControlPlane {
  readonly catalogue: Catalogue;
  readonly ports: Awaited<ReturnType<typeof controlPorts>>;
  readonly knowledge: Knowledge;
  readonly meetings: Meetings;
  readonly reservations: Reservations;
  readonly videos: ReturnType<typeof openVideos>;
}

/** @param makers what makes avatar videos here: the engine of this process, or the engine processes of the machine. */
export async function openControlPlane(
  closing: AsyncDisposableStack,
  foundation: Foundation,
  engine: RunningEngine,
  makers: Pick<Parameters<typeof openVideos>[0], 'engine' | 'engines'>,
): Promise<ControlPlane> {
  const { settings, storage, queue, providers, log } = foundation;
  const { store, blobs, bucket, dataDir } = storage;
  const { claims, jobs } = queue;
  const ports = await controlPorts(settings, log, providers);
  const catalogue = stockCatalogue(settings, engine, providers.local, providers.listedLlms, providers.voiceAccounts);
  closing.defer(() => ports.embedder?.close?.());
  const knowledge = new Knowledge({
    store,
    blobs,
    embedder: ports.embedder,
    embedderIsZdr: catalogue.isZdr.embeddings || ports.embedder?.where === 'local',
    log,
    now: Date.now,
    claims,
    jobs: bucket === null ? jobs.ofProcess : jobs.ofService,
  });
  closing.defer(() => knowledge.close());
  const meetings = await openMeetings(settings, dataDir, log);
  closing.defer(() => meetings.meetings?.close());
  const reservations = new Reservations(Date.now);
  const videos = openVideos({
    store,
    blobs,
    log,
    now: Date.now,
    claims,
    jobs: jobs.ofService,
    reservations,
    ...makers,
  });
  return { catalogue, ports, knowledge, meetings, reservations, videos };
}

/** What a process adds to the app that others have otherwise, or not at all. */
export type AppDifferences = Pick<
  AppOptions,
  'canTakeOver' | 'cluster' | 'drain' | 'draining' | 'machine' | 'slotLedger'
> &
  Pick<ControlPorts, 'faces' | 'localModels'>;

/** Adds the routes. The app does not listen yet. */
export async function openApp(
  closing: AsyncDisposableStack,
  { settings, storage, records, queue, providers, log }: Foundation,
  { catalogue, ports, knowledge, meetings, reservations, videos }: ControlPlane,
  engine: RunningEngine,
  { faces, localModels, ...differences }: AppDifferences,
): Promise<FastifyInstance> {
  const { store, blobs, caches, secrets, redis } = storage;
  const app = await buildApp({
    settings,
    traces: records.traces,
    store,
    blobs,
    caches,
    engine,
    sessions: records.sessions,
    knowledge,
    catalogue,
    ports: {
      ...ports,
      faces,
      avatarMaker: avatarMaker(engine),
      previewRenderer: previewRenderer(engine),
      ...meetings,
      videos,
      voiceSpeaker: { speak: (request) => engine.speakText(request) },
      spokenTests: { hold: (request) => engine.holdSpokenConversation(request) },
      voiceCloners: voiceCloners(providers.voiceAccounts),
      localModels,
    },
    masterKeys: secrets,
    reservations,
    redis,
    jobs: queue.jobs,
    ...differences,
    log,
  });
  closing.defer(() => app.close());
  return app;
}
