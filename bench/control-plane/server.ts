/**
 * The service that `bench/control-plane.ts` loads: real store and routes, no media. Reads `reset` and `delay` from
 * stdin.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import Fastify from 'fastify';
import pino from 'pino';
import {
  buildApp,
  createApiKey,
  DEFAULT_SCOPES,
  Knowledge,
  masterKeys,
  openBlobs,
  openStore,
  organizationNamed,
  readSettings,
  SessionStore,
} from '../../control/index.ts';
import { FakeEngine } from '../../control/testing/fake-engine.ts';
import { fakePorts } from '../../control/testing/fake-ports.ts';
import { STOCK, testCatalogue } from '../../control/testing/stock.ts';

export interface BenchedRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

export interface BenchedService {
  readonly url: string;
  readonly key: string;
  /** Each has a bare route `/bare/<name>`. */
  readonly requests: Readonly<Record<'token' | 'tokenWithOptions' | 'persona' | 'list', BenchedRequest>>;
}

const [dataDir = '', databaseUrl] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const now = Date.now;
const store = await openStore({ dataDir, databaseUrl: databaseUrl === '' ? undefined : databaseUrl });
const blobs = openBlobs(join(dataDir, 'blobs'));
const sessions = new SessionStore({ store, log, now, keepEvents: true });
const ports = fakePorts([]);
const knowledge = new Knowledge({ store, blobs, embedder: null, embedderIsZdr: false, log, now });
const app = await buildApp({
  settings: readSettings({ PARLEY_DATA_DIR: dataDir }),
  store,
  blobs,
  caches: blobs,
  engine: new FakeEngine(),
  sessions,
  knowledge,
  catalogue: testCatalogue,
  ports,
  masterKeys: masterKeys(['a key for benchmarks only']),
  log,
});

const organizationId = await organizationNamed(store, 'bench', now());
const { key } = await createApiKey(store, { organizationId, name: 'bench', scopes: DEFAULT_SCOPES, now: now() });
let personaId = '';
for (let i = 0; i < 100; i += 1) {
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/personas',
    headers: { authorization: `Bearer ${key}` },
    payload: {
      name: `Persona ${i}`,
      avatarId: STOCK.avatar,
      voiceId: STOCK.voice,
      systemPrompt: 'Be kind. '.repeat(40),
    },
  });
  personaId = (answer.json() as { id: string }).id;
}

const headers = { authorization: `Bearer ${key}` };
const token = { personaConfig: { personaId }, clientLabel: 'bench' };
const requests = {
  token: { method: 'POST', path: '/v1/auth/session-token', body: token },
  tokenWithOptions: {
    method: 'POST',
    path: '/v1/auth/session-token',
    body: { ...token, sessionOptions: { videoQuality: 'high' } },
  },
  persona: { method: 'GET', path: `/v1/personas/${personaId}` },
  list: { method: 'GET', path: '/v1/personas?perPage=10' },
} as const satisfies Record<string, BenchedRequest>;

// The bare routes are on another server behind the same port, so that no hook of the API runs for them. Each takes the
// same body as its route, and answers the same document.
const bare = Fastify({ logger: false });
for (const [name, { method, path, ...rest }] of Object.entries(requests)) {
  const answer = await app.inject({ method, url: path, headers, ...('body' in rest ? { payload: rest.body } : {}) });
  if (answer.statusCode !== 200) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${answer.body}`);
  const document: unknown = answer.json();
  bare.route({ method, url: `/bare/${name}`, handler: async () => document });
}
bare.get('/bare/hello', async () => ({ hello: 'world' }));
const database = new Sqlite(join(dataDir, 'bare.sqlite'));
database.exec('create table things (id text primary key, value text)');
database.prepare('insert into things values (?, ?)').run('one', 'x'.repeat(400));
const query = database.prepare('select * from things where id = ?');
bare.get('/bare/query', async () => query.get('one'));
await bare.ready();
app.server.removeAllListeners('request');
app.server.on('request', (request, response) =>
  request.url!.startsWith('/bare/') ? bare.routing(request, response) : app.routing(request, response),
);

const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ url, key, requests } satisfies BenchedService)}\n`);

/** CPU time of all threads of this process since the last `reset`. */
let cpu = process.cpuUsage();
const delay = monitorEventLoopDelay({ resolution: 2 });
delay.enable();
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'reset') {
    delay.reset();
    cpu = process.cpuUsage();
    process.stdout.write('ok\n');
  } else {
    const { user, system } = process.cpuUsage(cpu);
    process.stdout.write(`${delay.percentile(99) / 1e6} ${user + system}\n`);
  }
});
