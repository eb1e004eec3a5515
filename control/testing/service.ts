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
import { readSettings, type Settings } from '../settings/settings.ts';
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
  /** As `send` with the first key. @returns the answer's body. @throws unless it is 2xx */
  // eslint-disable-next-line typescript/no-explicit-any
  granted(method: string, url: string, body?: unknown): Promise<any>;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  // eslint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

export interface TestServiceOptions {
  readonly settings?: Record<string, string>;
  readonly ports?: Partial<ControlPorts>;
  readonly dataDir?: string;
  readonly masterKey?: string;
  readonly catalogue?: Catalogue;
  readonly timers?: Timers;
  /** The service has the time of this machine, and `clock` is not used. */
  readonly realTime?: boolean;
  /** What processes compare. @defaultValue `clock` */
  readonly sharedNow?: AppOptions['sharedNow'];
  readonly jobs?: AppOptions['jobs'];
  readonly draining?: AppOptions['draining'];
  /** What several services count together. */
  readonly redis?: AppOptions['redis'];
  readonly slotLedger?: AppOptions['slotLedger'];
  /** Where files are kept, instead of the data folder. */
  readonly bucket?: Blobs;
  /** Makes it one of several nodes. */
  readonly cluster?: (engine: FakeEngine) => Cluster;
  /** Instead of all. */
  readonly resources?: AppOptions['resources'];
  /** @defaultValue there is no console */
  readonly consoleFolder?: string;
}

/** The whole control plane on a store, with a fake engine, answers checked against their schemas. */
export async function startTestService(store: Store, options: TestServiceOptions = {}): Promise<TestService> {
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
  const keepEvents = settings.PARLEY_EVENT_LOG;
  const sessions = new SessionStore({ store, log, now, keepEvents, recordings: options.bucket });
  engine.sink = sessions;
  const ports = portsOf(settings, options.ports);
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
    log,
    now,
    ...appOptionsOf(options, dataDir, engine),
  });

  const keys = await keysOf(store, clock);
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
    ...keys,
    organizationId: await organizationNamed(store, 'first', clock.now),
    ...sendersTo(app, keys.key),
    async close() {
      await app.close();
      await knowledge.close();
      await sessions.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function appOptionsOf(options: TestServiceOptions, dataDir: string, engine: FakeEngine) {
  const { timers, sharedNow, jobs, draining, redis, slotLedger, resources } = options;
  return {
    masterKeys: masterKeys([options.masterKey ?? 'a master key for tests']),
    timers,
    sharedNow,
    jobs,
    draining,
    redis,
    slotLedger,
    resources,
    cluster: options.cluster?.(engine) ?? null,
    checkAnswers: true,
    consoleFolder: options.consoleFolder ?? join(dataDir, 'none'),
    widgetFolder: join(dataDir, 'none'),
  };
}

function portsOf(settings: Settings, given: Partial<ControlPorts> | undefined): ControlPorts {
  return {
    ...fakePorts(settings.PARLEY_ALLOWED_PRIVATE_HOSTS),
    ...given,
    ...(given?.meetings && { meetingsUnavailable: null }),
  };
}

async function keysOf(
  store: Store,
  clock: { readonly now: number },
): Promise<Pick<TestService, 'key' | 'otherKey' | 'keyWith'>> {
  const keyWith: TestService['keyWith'] = async (scopes, organization = 'first', entitlements) => {
    const organizationId = await organizationNamed(store, organization, clock.now, entitlements);
    return (await createApiKey(store, { organizationId, name: 'test', scopes, now: clock.now })).key;
  };
  const most = SCOPES.filter((scope) => scope !== 'admin');
  return { key: await keyWith(most), otherKey: await keyWith(most, 'second'), keyWith };
}

/** @param usual the key of requests that name none. */
function sendersTo(app: FastifyInstance, usual: string): Pick<TestService, 'send' | 'granted'> {
  const send: TestService['send'] = (method, url, body, key = usual, more = {}) => {
    const headers = { ...(key !== null && { authorization: `Bearer ${key}` }), ...more };
    return inject(app, { method, url, headers }, body);
  };
  return {
    send,
    async granted(method, url, body) {
      const answer = await send(method, url, body);
      if (answer.status >= 300) throw new Error(`${method} ${url} answered ${answer.status}: ${answer.text}`);
      return answer.body;
    },
  };
}

async function inject(
  app: FastifyInstance,
  request: { readonly method: string; readonly url: string; readonly headers: Record<string, string> },
  body: unknown,
): Promise<Answer> {
  const { type, payload } = encoded(body);
  const answer = await app.inject({
    ...request,
    method: request.method as InjectOptions['method'],
    headers: { ...(type !== null && { 'content-type': type }), ...request.headers },
    ...(payload !== undefined && { payload }),
  } as InjectOptions);
  const answered = String(answer.headers['content-type'] ?? '');
  return {
    status: answer.statusCode,
    body: answer.body !== '' && /json(?!l)/.test(answered) ? answer.json() : undefined,
    headers: answer.headers as Record<string, unknown>,
    text: answer.body,
  };
}

/** A form, text or bytes as they are, anything else as JSON. */
function encoded(body: unknown): { readonly type: string | null; readonly payload: string | Buffer | undefined } {
  if (body === undefined) return { type: null, payload: undefined };
  if (body instanceof Form) return { type: body.contentType, payload: body.bytes() as Buffer };
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  return { type: 'application/json', payload: isRaw ? body : JSON.stringify(body) };
}
