import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import type { RestorableSession } from '../../engine/index.ts';
import type { Engine } from '../../engine/ports.ts';
import type { Logger } from '../../runtime/log.ts';
import { systemTimers, type Timers } from '../../runtime/clock.ts';
import { ApiKeys } from '../access/api-keys.ts';
import type { MasterKeys } from '../access/master-key.ts';
import { PasswordQueue } from '../access/passwords.ts';
import { SignIns } from '../access/sign-ins.ts';
import { SessionTokens } from '../access/session-tokens.ts';
import { UrlSigner } from '../access/signed-urls.ts';
import { openVault } from '../access/vault.ts';
import { AvatarPreviews } from '../api/avatars/avatar-previews.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { EngineProcesses } from '../placement/engine-processes/engine-processes.ts';
import { forwardToEngines } from './engine-routes.ts';
import { internalRoutes, recognizeNodes } from '../cluster/internal-routes.ts';
import type { App } from '../http/app.ts';
import { publicUrl } from '../http/public-url.ts';
import type { Control } from './control.ts';
import { authenticate } from '../http/authentication.ts';
import { serveClientPackages } from '../http/client-packages.ts';
import { serveClient } from '../http/client-script.ts';
import { serveConsole } from '../http/console.ts';
import { fileRoutes } from '../api/files/files.ts';
import { imageRoutes } from '../api/files/images.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { serveWidget } from '../http/visitor-page.ts';
import { serveMetrics } from '../telemetry/prometheus.ts';
import { traceRequests } from '../telemetry/request-traces.ts';
import type { TraceTools } from '../telemetry/traces.ts';
import { serveOpenApi } from '../http/openapi.ts';
import { openRateLimits } from '../http/rate-limits.ts';
import { addResource, describeByResource } from '../http/resource-routes.ts';
import { nameUnknownFields } from '../http/unknown-fields.ts';
import { openServer } from '../http/server.ts';
import { measureJobs } from '../jobs/job-metrics.ts';
import type { JobQueues } from '../jobs/job-queue.ts';
import { embeddedJobs } from '../jobs/open-jobs.ts';
import type { Knowledge } from '../api/knowledge/knowledge.ts';
import { McpToolLists } from '../api/mcp-servers/mcp-tool-lists.ts';
import { Reservations } from '../placement/reservations.ts';
import type { ControlPorts } from '../ports.ts';
import { References } from '../catalogue/references.ts';
import { replaceInPersonas } from '../api/personas/replace-in-personas.ts';
import { type Resource, scopesOf } from '../http/resource.ts';
import { RESOURCES } from '../api/resources.ts';
import { EnginePlaces } from '../placement/engine-places.ts';
import { SessionSlots } from '../placement/session-slots.ts';
import { SlotsInMemory } from '../placement/slots-in-memory.ts';
import type { SlotLedger } from '../placement/slot-ledger.ts';
import type { SessionStore } from '../sessions/records/session-store.ts';
import { takeOverSession } from '../sessions/start/takeover.ts';
import type { Settings } from '../settings/settings.ts';
import type { Blobs, DiskBlobs } from '../store/blobs.ts';
import type { Store } from '../store/open.ts';
import { sharedClock, type SharedClock } from '../store/shared-clock.ts';
import { VERSION } from '../../runtime/version.ts';
import { VoiceSamples } from '../api/voices/voice-samples.ts';
import { pathPrefixOf } from '../http/path-prefix.ts';

export interface AppOptions {
  readonly settings: Settings;
  readonly store: Store;
  readonly blobs: Blobs;
  /** Files of this machine that can be made again. */
  readonly caches: DiskBlobs;
  readonly engine: Engine;
  /** The same one that the engine writes to. */
  readonly sessions: SessionStore;
  readonly knowledge: Knowledge;
  readonly catalogue: Catalogue;
  readonly ports: ControlPorts;
  readonly masterKeys: MasterKeys;
  readonly log: Logger;
  readonly now?: () => number;
  /** @defaultValue this machine's */
  readonly timers?: Timers | undefined;
  /** @defaultValue `now`, if it is given, else the database's */
  readonly sharedNow?: SharedClock | undefined;
  /** @defaultValue this process does everything itself */
  readonly jobs?: JobQueues | undefined;
  /** Places that are kept free for meetings. @defaultValue nobody else looks at them */
  readonly reservations?: Reservations | undefined;
  /** Where rates are counted for all processes. @defaultValue this process counts alone */
  readonly redis?: Redis | null | undefined;
  /** Counts sessions. @defaultValue those of this process */
  readonly slotLedger?: SlotLedger | undefined;
  /** The other nodes of this service. @defaultValue this process is all of it */
  readonly cluster?: Cluster | null;
  /** Begins to hand this process's sessions over. @defaultValue it takes no further session */
  readonly drain?: () => void;
  /** Whether that has begun, or the service stops. @defaultValue never */
  readonly draining?: (() => boolean) | undefined;
  /** Gets the function that goes on here with a session of another process. See `takeOverSession`. */
  readonly canTakeOver?: (takeOver: (past: RestorableSession) => Promise<void>) => void;
  /** The engine processes of this machine. @defaultValue this process has the engine, or none */
  readonly machine?: EngineProcesses | null;
  /** Path of the engine's WebSocket. @defaultValue '/ws' */
  readonly signalingPath?: string;
  /** Folder of the built console. @defaultValue web/dist of this repository */
  readonly consoleFolder?: string;
  /** Folder of the built widget. @defaultValue web/widget/dist of this repository */
  readonly widgetFolder?: string;
  /** @defaultValue all of them */
  readonly resources?: readonly Resource<Control>[] | undefined;
  /** Makes spans of requests. @defaultValue none are made */
  readonly traces?: TraceTools | null;
  /** Also checks answers against their schemas: in tests. */
  readonly checkAnswers?: boolean;
}

/** Assembles the control plane. It does not listen yet. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { settings, store, engine, masterKeys, log, cluster = null, now = Date.now } = options;
  const resources: readonly Resource<Control>[] = options.resources ?? RESOURCES;
  const keys = new ApiKeys(store, now);
  const signIns = new SignIns(store, now);
  const tokens = new SessionTokens(masterKeys.derive('session-tokens'), now);
  const signer = new UrlSigner(masterKeys.derive('signed-urls'), now);

  const app = await openServer(settings, log, options.checkAnswers ?? false);
  const otherMethods = methodNotAllowed(app);
  describeByResource(app);
  nameUnknownFields(app);
  recognizeNodes(app, cluster, settings.PARLEY_ROLE === 'engine');
  traceRequests(app, options.traces ?? null);
  const isLive = (sessionId: string): boolean | Promise<boolean> =>
    engine.isLive(sessionId) || (cluster !== null && cluster.isLiveElsewhere(sessionId));
  const limits = await openRateLimits(app, settings, isLive, options.redis ?? null);
  authenticate(app, { keys, signIns, tokens, signer, limits });
  await serveOpenApi(app, VERSION, resources, pathPrefixOf(settings));

  const control = assemble(options, resources, app, { keys, signIns, tokens, signer, limits });
  measureJobs(control.metrics.registry, control.jobs, control.timers);
  forwardToEngines(app, control);
  options.canTakeOver?.((past) => takeOverSession(control, past));
  for (const resource of resources) await addResource(app, resource, control);
  if (cluster !== null) internalRoutes(app, engine, cluster, options.drain ?? (() => engine.drain()));
  imageRoutes(app as unknown as App, control);
  fileRoutes(app as unknown as App, control);
  serveClient(app, fileURLToPath(new URL('../../clients/js/', import.meta.url)));
  await serveClientPackages(app, fileURLToPath(new URL('../../clients/dist/', import.meta.url)), (request) =>
    publicUrl(control, request),
  );
  otherMethods.add();
  await serveWidget(app, options.widgetFolder ?? fileURLToPath(new URL('../../web/widget/dist/', import.meta.url)));
  await serveConsole(
    app,
    options.consoleFolder ?? fileURLToPath(new URL('../../web/dist/', import.meta.url)),
    (request) => publicUrl(control, request),
  );
  await app.ready();
  return app;
}

/** Everything that the routes work with: each takes what it names. */
function assemble(
  options: AppOptions,
  resources: readonly Resource<Control>[],
  app: FastifyInstance,
  opened: Pick<Control, 'keys' | 'limits' | 'signIns' | 'signer' | 'tokens'>,
): Control {
  const { settings, store, engine, catalogue, ports, masterKeys, log, now = Date.now } = options;
  const { blobs, caches, cluster = null, machine = null, timers = systemTimers } = options;
  const reservations = options.reservations ?? new Reservations(now);
  return {
    settings,
    store,
    engine,
    catalogue,
    ports,
    scopes: scopesOf(resources),
    log,
    now,
    timers,
    sharedNow: options.sharedNow ?? (options.now === undefined ? sharedClock(store) : async () => now()),
    jobs: options.jobs ?? embeddedJobs({ timers, log }),
    blobs,
    caches,
    ...opened,
    passwordQueue: new PasswordQueue(),
    metrics: serveMetrics(app, { ...options, ...ports, machine }, settings.PARLEY_DATA_DIR),
    vault: openVault(masterKeys.derive('secrets')),
    references: new References(store, catalogue),
    replaceInPersonas: replaceInPersonas({ store, now }),
    knowledge: options.knowledge,
    mcpTools: new McpToolLists(ports.mcp, now),
    sessions: options.sessions,
    reservations,
    draining: options.draining ?? (() => false),
    slots: slotsOf(options, reservations, now),
    places: new EnginePlaces(engine, settings.PARLEY_REGION, cluster?.lease?.hold.bind(cluster.lease)),
    cluster,
    machine,
    previews:
      ports.previewRenderer === null
        ? null
        : new AvatarPreviews({ store, catalogue, blobs, renderer: ports.previewRenderer }),
    samples:
      ports.voiceSpeaker === null
        ? null
        : new VoiceSamples({ store, catalogue, blobs: caches, speaker: ports.voiceSpeaker, log, now }),
    signalingPath: options.signalingPath ?? '/ws',
  };
}

function slotsOf({ engine, settings, slotLedger }: AppOptions, reservations: Reservations, now: () => number) {
  return new SessionSlots(
    {
      ofAll: () => {
        const { activeSessions, free } = engine.status();
        return activeSessions + free;
      },
      perOrganization: settings.PARLEY_MAX_SESSIONS_PER_ORGANIZATION ?? null,
      ofVisitors: settings.PARLEY_MAX_VISITOR_SESSIONS ?? null,
      perAddress: settings.PARLEY_MAX_SESSIONS_PER_ADDRESS,
    },
    reservations,
    slotLedger ?? new SlotsInMemory(now),
  );
}
