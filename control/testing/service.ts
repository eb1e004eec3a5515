import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pino from 'pino';
import type { Timers } from '../../runtime/clock.ts';
import { createApiKey, organizationNamed } from '../access/api-keys.ts';
import { masterKeys } from '../access/master-key.ts';
import { SCOPES } from '../api/scopes.ts';
import { type AppOptions, buildApp } from '../app/app.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { Knowledge } from '../api/knowledge/knowledge.ts';
import type { ControlPorts } from '../ports.ts';
import { SessionStore } from '../sessions/records/session-store.ts';
import { readSettings } from '../settings/settings.ts';
import { openBlobs, type Blobs, type DiskBlobs } from '../store/blobs.ts';
import type { Store } from '../store/open.ts';
import { FakeEngine } from './fake-engine.ts';
import { fakePorts } from './fake-ports.ts';
import { Form } from './form.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { testCatalogue } from './stock.ts';

export interface TestService {
  readonly app: FastifyInstance;
  readonly engine: FakeEngine;
  readonly sessions: SessionStore;
  readonly knowledge: Knowledge;
  readonly store: Store;
  readonly blobs: DiskBlobs;
  readonly dataDir: string;
  readonly organizationId: string;
  /** Wall clock of the service; tests move it. */
  readonly clock: { now: number };
  /** Every line that was logged. */
  readonly logged: string[];
  /** A key of the first organization, with every scope but `admin`. */
  readonly key: string;
  /** A key of another organization, likewise. */
  readonly otherKey: string;
  keyWith(scopes: readonly string[], organization?: string, entitlements?: readonly string[]): Promise<string>;
  /** Sends a request with the first key unless another one, or none, is given. */
  send(
    method: string,
    url: string,
    body?: unknown,
    key?: string | null,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  // eslint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

/** The whole control plane on a store, with a fake engine, answers checked against their schemas. */
export async function startTestService(
  store: Store,
  options: {
    settings?: Record<string, string>;
    ports?: Partial<ControlPorts>;
    dataDir?: string;
    masterKey?: string;
    catalogue?: Catalogue;
    timers?: Timers;
    /** The service has the time of this machine, and `clock` is not used. */
    realTime?: boolean;
    /** What processes compare. @defaultValue `clock` */
    sharedNow?: AppOptions['sharedNow'];
    jobs?: AppOptions['jobs'];
    draining?: AppOptions['draining'];
    /** What several services count together. */
    redis?: AppOptions['redis'];
    slotLedger?: AppOptions['slotLedger'];
    /** Where files are kept, instead of the data folder. */
    bucket?: Blobs;
    /** Makes it one of several nodes. */
    cluster?: (engine: FakeEngine) => Cluster;
    /** Instead of all. */
    resources?: AppOptions['resources'];
    /** @defaultValue there is no console */
    consoleFolder?: string;
  } = {},
): Promise<TestService> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'parley-control-'));
  const settings = readSettings({
    PARLEY_DATA_DIR: dataDir,
    PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '100000',
    ...options.settings,
  });
  const clock = { now: Date.now() };
  const now = options.realTime === true ? Date.now : (): number => clock.now;
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const disk = openBlobs(join(dataDir, 'blobs'));
  const blobs = options.bucket ?? disk;
  const engine = new FakeEngine();
  const sessions = new SessionStore({
    store,
    log,
    now,
    keepEvents: settings.PARLEY_EVENT_LOG,
    recordings: options.bucket,
  });
  engine.sink = sessions;
  const ports: ControlPorts = {
    ...fakePorts(settings.PARLEY_ALLOWED_PRIVATE_HOSTS),
    ...options.ports,
    ...(options.ports?.meetings && { noMeetings: null }),
  };
  const catalogue = options.catalogue ?? testCatalogue;
  const embedderIsZdr = catalogue.isZdr.embeddings;
  const knowledge = new Knowledge({ store, blobs, embedder: ports.embedder, embedderIsZdr, log, now });
  const app = await buildApp({
    settings,
    store,
    blobs,
    caches: disk,
    engine,
    sessions,
    knowledge,
    catalogue,
    ports,
    masterKeys: masterKeys([options.masterKey ?? 'a master key for tests']),
    log,
    now,
    timers: options.timers,
    sharedNow: options.sharedNow,
    jobs: options.jobs,
    draining: options.draining,
    redis: options.redis,
    slotLedger: options.slotLedger,
    cluster: options.cluster?.(engine) ?? null,
    resources: options.resources,
    checkAnswers: true,
    consoleFolder: options.consoleFolder ?? join(dataDir, 'none'),
    widgetFolder: join(dataDir, 'none'),
  });

  const most = SCOPES.filter((scope) => scope !== 'admin');
  const keyWith: TestService['keyWith'] = async (scopes, organization = 'first', entitlements) => {
    const organizationId = await organizationNamed(store, organization, clock.now, entitlements);
    return (await createApiKey(store, { organizationId, name: 'test', scopes, now: clock.now })).key;
  };
  const key = await keyWith(most);
  const otherKey = await keyWith(most, 'second');
  return {
    app,
    engine,
    sessions,
    knowledge,
    store,
    blobs: disk,
    dataDir,
    clock,
    logged,
    key,
    otherKey,
    keyWith,
    organizationId: await organizationNamed(store, 'first', clock.now),
    async send(method, url, body, sentKey = key, headers = {}) {
      const isForm = body instanceof Form;
      const answer = await app.inject({
        method: method as InjectOptions['method'],
        url,
        headers: {
          ...(sentKey === null ? {} : { authorization: `Bearer ${sentKey}` }),
          ...(isForm
            ? { 'content-type': body.contentType }
            : body === undefined
              ? {}
              : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : {
              payload: isForm
                ? body.bytes()
                : typeof body === 'string' || Buffer.isBuffer(body)
                  ? body
                  : JSON.stringify(body),
            }),
      } as InjectOptions);
      const type = String(answer.headers['content-type'] ?? '');
      return {
        status: answer.statusCode,
        body: answer.body !== '' && /json(?!l)/.test(type) ? answer.json() : undefined,
        headers: answer.headers as Record<string, unknown>,
        text: answer.body,
      };
    },
    async close() {
      await app.close();
      await knowledge.close();
      await sessions.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
