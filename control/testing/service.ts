import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pino from 'pino';
import { createApiKey, organizationNamed } from '../access/api-keys.ts';
import { masterKeys } from '../access/master-key.ts';
import { SCOPES } from '../scopes.ts';
import { buildApp } from '../app.ts';
import { type Catalogue, stockId } from '../catalogue.ts';
import { Knowledge } from '../knowledge/knowledge.ts';
import type { ControlPorts } from '../ports.ts';
import type { Resource } from '../resource.ts';
import { SessionStore } from '../sessions/session-store.ts';
import { readSettings } from '../settings.ts';
import { openBlobs, type Blobs } from '../store/blobs.ts';
import type { Store } from '../store/open.ts';
import { FakeEngine } from './fake-engine.ts';
import { fakePorts } from './fake-ports.ts';

export const STOCK = {
  avatar: stockId('avatar', 'test-one'),
  oldAvatar: stockId('avatar', 'test-old'),
  voice: stockId('voice', 'test-voice'),
  cloudVoice: stockId('voice', 'test-cloud'),
  llm: stockId('llm', 'test-llm'),
  deprecatedLlm: stockId('llm', 'test-deprecated'),
};

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const testCatalogue: Catalogue = {
  defaultVoiceId: STOCK.voice,
  defaultLlmId: STOCK.llm,
  voices: [
    {
      id: STOCK.voice,
      displayName: 'Test Voice',
      description: null,
      provider: 'LOCAL',
      engineProvider: 'LOCAL',
      family: 'local',
      providerVoiceId: 'slt',
      providerModelId: null,
      sampleUrl: null,
      gender: 'female',
      country: 'US',
      displayTags: [],
      isZdr: true,
    },
    {
      id: STOCK.cloudVoice,
      displayName: 'Cloud Voice',
      description: null,
      provider: 'ELEVENLABS',
      engineProvider: 'ELEVENLABS',
      family: 'elevenlabs',
      providerVoiceId: 'abc',
      providerModelId: null,
      sampleUrl: null,
      gender: null,
      country: null,
      displayTags: [],
      isZdr: false,
    },
  ],
  avatars: [
    {
      id: STOCK.avatar,
      displayName: 'Test Face',
      variantName: 'desk',
      engineKey: 'test-one',
      models: ['cara-3', 'cara-4', 'cara-4-latest'],
      description: 'Friendly',
      displayTags: ['friendly', 'desk', 'woman'],
      renderStyle: 'illustrated',
      image: async () => ({ bytes: PIXEL, contentType: 'image/png' }),
    },
    {
      id: STOCK.oldAvatar,
      displayName: 'Old Face',
      variantName: '',
      engineKey: 'test-old',
      models: ['cara-2'],
      description: null,
      displayTags: [],
      renderStyle: 'realistic',
      image: async () => null,
    },
  ],
  llms: [
    {
      id: STOCK.llm,
      aliases: ['SERVICE_TEST_V1'],
      displayName: 'Test LLM',
      description: null,
      llmFormat: 'openai',
      modelName: 'test',
      displayTags: [],
      isZdr: true,
      deprecated: false,
    },
    {
      id: STOCK.deprecatedLlm,
      aliases: [],
      displayName: 'Old LLM',
      description: null,
      llmFormat: 'openai',
      modelName: 'old',
      displayTags: [],
      isZdr: false,
      deprecated: true,
    },
  ],
};

export interface TestService {
  readonly app: FastifyInstance;
  readonly engine: FakeEngine;
  readonly sessions: SessionStore;
  readonly knowledge: Knowledge;
  readonly store: Store;
  readonly blobs: Blobs;
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
    /** Instead of all. */
    resources?: readonly Resource[];
  } = {},
): Promise<TestService> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'parley-control-'));
  const settings = readSettings({
    PARLEY_DATA_DIR: dataDir,
    PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '100000',
    ...options.settings,
  });
  const clock = { now: Date.now() };
  const now = (): number => clock.now;
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const blobs = openBlobs(join(dataDir, 'blobs'));
  const engine = new FakeEngine();
  const sessions = new SessionStore({ store, log, now, keepEvents: settings.PARLEY_EVENT_LOG });
  engine.sink = sessions;
  const ports: ControlPorts = { ...fakePorts(settings.PARLEY_ALLOWED_PRIVATE_HOSTS), ...options.ports };
  const knowledge = new Knowledge({ store, blobs, embedder: ports.embedder, log, now });
  const app = await buildApp({
    settings,
    store,
    blobs,
    engine,
    sessions,
    knowledge,
    catalogue: testCatalogue,
    ports,
    masterKeys: masterKeys([options.masterKey ?? 'a master key for tests']),
    log,
    now,
    resources: options.resources,
    checkAnswers: true,
    consoleFolder: join(dataDir, 'none'),
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
    blobs,
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
        body: answer.body !== '' && type.includes('json') ? answer.json() : undefined,
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

/** A multipart form as browsers write it. */
export class Form {
  readonly #boundary = 'parley-test-boundary';
  readonly #parts: Buffer[] = [];
  readonly contentType = `multipart/form-data; boundary=${this.#boundary}`;

  field(name: string, value: string): this {
    this.#parts.push(
      Buffer.from(`--${this.#boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
    );
    return this;
  }
  file(name: string, filename: string, contentType: string, bytes: Uint8Array | string): this {
    this.#parts.push(
      Buffer.from(
        `--${this.#boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${contentType}\r\n\r\n`,
      ),
      Buffer.from(bytes as Uint8Array),
      Buffer.from('\r\n'),
    );
    return this;
  }
  bytes(): Buffer {
    return Buffer.concat([...this.#parts, Buffer.from(`--${this.#boundary}--\r\n`)]);
  }
}

export const IMAGE = PIXEL;
