import { fileURLToPath } from 'node:url';
import cors from '@fastify/cors';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Engine } from '../engine/ports.ts';
import type { Logger } from '../engine/log.ts';
import { ApiKeys } from './access/api-keys.ts';
import type { MasterKeys } from './access/master-key.ts';
import { SessionTokens } from './access/session-tokens.ts';
import { UrlSigner } from './access/signed-urls.ts';
import { openVault } from './access/vault.ts';
import { AvatarFilms } from './avatars/avatar-films.ts';
import { avatarRoutes } from './avatars/avatar-routes.ts';
import type { Catalogue } from './catalogue.ts';
import { type App, type Control, publicUrl } from './context.ts';
import { HttpError } from './errors.ts';
import { authenticate } from './http/authentication.ts';
import { noticeUntrustedProxy, trustProxyOption } from './http/client-address.ts';
import { compileSchemas } from './http/compile-schemas.ts';
import { clientMetricsRoutes } from './http/client-metrics.ts';
import { limitContent } from './http/content-policy.ts';
import {
  CONNECTION_CHECKS_MS,
  HEADERS_TIMEOUT_MS,
  limitConnections,
  STALLED_CONNECTION_MS,
} from './http/connection-limits.ts';
import { serveConsole } from './http/console.ts';
import { answerBrokenConnection, answerErrors, sendError } from './http/error-handler.ts';
import { fileRoutes } from './http/files.ts';
import { healthRoutes } from './http/health.ts';
import { acceptJson, JSON_BODY_LIMIT } from './http/json-body.ts';
import { methodNotAllowed } from './http/method-not-allowed.ts';
import { serveMetrics } from './http/metrics.ts';
import { serveOpenApi } from './http/openapi.ts';
import { imageRoutes } from './http/images.ts';
import { openRateLimits } from './http/rate-limits.ts';
import { endSlowBodies, LONGEST_REQUEST_MS } from './http/slow-bodies.ts';
import type { Knowledge } from './knowledge/knowledge.ts';
import { documentRoutes } from './knowledge/document-routes.ts';
import { groupRoutes } from './knowledge/group-routes.ts';
import { uploadRoutes } from './knowledge/upload-routes.ts';
import { llmRoutes } from './llms/llm-routes.ts';
import { meetingRoutes } from './meetings/meeting-routes.ts';
import { personaRoutes } from './personas/persona-routes.ts';
import type { ControlPorts } from './ports.ts';
import { References } from './references.ts';
import { engineSessionRoutes } from './sessions/engine-session-routes.ts';
import { analyticsRoutes } from './sessions/analytics-routes.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import { sessionTokenRoutes } from './sessions/session-token-routes.ts';
import { SessionSlots } from './sessions/session-slots.ts';
import type { SessionStore } from './sessions/session-store.ts';
import type { Settings } from './settings.ts';
import { shareLinkRoutes } from './share-links/share-link-routes.ts';
import type { Blobs } from './store/blobs.ts';
import type { Store } from './store/open.ts';
import { toolRoutes } from './tools/tool-routes.ts';
import { videoRoutes } from './videos/video-routes.ts';
import { voiceRoutes } from './voices/voice-routes.ts';
import { VERSION } from '../engine/version.ts';
import { widgetRoutes } from './widget/widget-routes.ts';

export interface AppOptions {
  readonly settings: Settings;
  readonly store: Store;
  readonly blobs: Blobs;
  readonly engine: Engine;
  /** The same one that the engine writes to. */
  readonly sessions: SessionStore;
  readonly knowledge: Knowledge;
  readonly catalogue: Catalogue;
  readonly ports: ControlPorts;
  readonly masterKeys: MasterKeys;
  readonly log: Logger;
  readonly now?: () => number;
  /** Path of the engine's WebSocket. @defaultValue '/ws' */
  readonly signalingPath?: string;
  /** Folder of the built console. @defaultValue web/dist of this repository */
  readonly consoleFolder?: string;
  /** Check answers against their schemas too: in tests. */
  readonly checkAnswers?: boolean;
}

/** Form fields beside a file, and the largest text among them. */
const FORM_LIMITS = { fields: 20, fieldSize: 65_536, files: 1, headerPairs: 100, parts: 30 };

/** Puts the control plane together. It does not listen yet. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { settings, store, engine, catalogue, ports, masterKeys, log, now = Date.now } = options;
  const keys = new ApiKeys(store, now);
  const tokens = new SessionTokens(masterKeys.derive('session-tokens'), now);
  const signer = new UrlSigner(masterKeys.derive('signed-urls'), now);
  const control: Control = {
    settings,
    store,
    engine,
    catalogue,
    ports,
    keys,
    tokens,
    signer,
    log,
    now,
    blobs: options.blobs,
    vault: openVault(masterKeys.derive('secrets')),
    references: new References(store, catalogue),
    knowledge: options.knowledge,
    sessions: options.sessions,
    slots: new SessionSlots(
      {
        perOrganization: settings.PARLEY_MAX_SESSIONS_PER_ORGANIZATION ?? null,
        ofVisitors: settings.PARLEY_MAX_VISITOR_SESSIONS ?? null,
        perAddress: settings.PARLEY_MAX_SESSIONS_PER_ADDRESS,
      },
      now,
    ),
    films:
      ports.avatarFilmer === null
        ? null
        : new AvatarFilms({ store, catalogue, blobs: options.blobs, filmer: ports.avatarFilmer }),
    signalingPath: options.signalingPath ?? '/ws',
  };

  const app = Fastify({
    loggerInstance: log as unknown as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxyOption(settings.PARLEY_TRUST_PROXY),
    bodyLimit: JSON_BODY_LIMIT,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    // A path that cannot be decoded names nothing.
    frameworkErrors: (_error, request, reply) =>
      void sendError(new HttpError('notFound'), request as never, reply as never),
    clientErrorHandler: answerBrokenConnection,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: CONNECTION_CHECKS_MS },
    requestTimeout: LONGEST_REQUEST_MS,
    connectionTimeout: STALLED_CONNECTION_MS,
    forceCloseConnections: true,
  }) as unknown as FastifyInstance;
  const { PARLEY_MAX_CONNECTIONS: most } = settings;
  limitConnections(
    app.server,
    { most, perAddress: settings.PARLEY_TRUST_PROXY === false ? Math.ceil(most / 2) : null },
    log,
  );
  endSlowBodies(app);
  limitContent(app);
  compileSchemas(app, options.checkAnswers ?? false);
  acceptJson(app);
  answerErrors(app);
  const otherMethods = methodNotAllowed(app);
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'X-Upload-Token',
      'X-Anam-Target-Url',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'X-Original-URI',
    ],
    maxAge: 86_400,
    strictPreflight: false,
  });
  noticeUntrustedProxy(app, settings);
  const limits = await openRateLimits(app, settings, (sessionId) => engine.isLive(sessionId));
  authenticate(app, { keys, tokens, signer, limits });
  await serveOpenApi(app, VERSION);
  const metrics = serveMetrics(app, engine, settings.PARLEY_DATA_DIR);

  const api = app as unknown as App;
  healthRoutes(api, control);
  clientMetricsRoutes(api, metrics, limits.publicRoute);
  for (const routes of [
    personaRoutes,
    toolRoutes,
    llmRoutes,
    groupRoutes,
    uploadRoutes,
    sessionTokenRoutes,
    sessionRoutes,
    analyticsRoutes,
    shareLinkRoutes,
    meetingRoutes,
    videoRoutes,
    imageRoutes,
    fileRoutes,
  ])
    routes(api, control);
  engineSessionRoutes(api, control, limits.talk);
  // Only these take forms; the others do without the work that the form reader adds to every request.
  await app.register(async (forms) => {
    await forms.register(multipart, { limits: FORM_LIMITS, throwFileSizeLimit: true });
    for (const routes of [voiceRoutes, avatarRoutes, documentRoutes]) routes(forms as unknown as App, control);
  });
  widgetRoutes(api, control, limits.publicRoute);
  otherMethods.add();
  await serveConsole(app, options.consoleFolder ?? fileURLToPath(new URL('../web/dist/', import.meta.url)), (request) =>
    publicUrl(control, request),
  );
  await app.ready();
  return app;
}
