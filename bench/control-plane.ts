/**
 * Requests per second and latency of the control plane, compared with bare Fastify routes and a bare SQLite query in
 * the same run.
 *
 *   node bench/control-plane.ts [--rounds 5] [--seconds 2] [--connections 50] [--database-url URL]
 *
 * A route of the API is compared with a bare one that takes the same body and answers the same document. All are
 * measured in turn, round after round, because the load of the machine changes. Prints the medians, and the lowest CPU
 * time for a request (all threads of the server). The server is a process of its own. The load comes from this one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import type { BenchedRequest, BenchedService } from './control-plane/server.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '50' },
    'database-url': { type: 'string' },
  },
});
const [rounds, seconds, connections] = [Number(values.rounds), Number(values.seconds), Number(values.connections)];
/** Seconds before the first round, in which code is compiled and statements are prepared. */
const WARM_UP_SECONDS = 2;

interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly loopP99: number;
  readonly cpuMicros: number;
  readonly failed: number;
}

interface Row {
  readonly what: string;
  readonly request: BenchedRequest;
  /** The bare route to compare with. Null: there is none. */
  readonly beside: string | null;
  readonly measured: Measured[];
}

const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const script = fileURLToPath(new URL('./control-plane/server.ts', import.meta.url));
const server: ChildProcess = spawn(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', script, dataDir, values['database-url'] ?? ''],
  { stdio: ['pipe', 'pipe', 'inherit'] },
);
const lines = createInterface({ input: server.stdout! })[Symbol.asyncIterator]();
const answer = async (): Promise<string> => (await lines.next()).value as string;

try {
  const service = JSON.parse(await answer()) as BenchedService;
  const { token, tokenWithOptions, persona, list } = service.requests;
  const row = (what: string, request: BenchedRequest, beside: string | null = null): Row => ({
    what,
    request,
    beside,
    measured: [],
  });
  const rows = [
    row('bare GET', { method: 'GET', path: '/bare/hello' }),
    row('bare GET with one SQLite query on the main thread', { method: 'GET', path: '/bare/query' }),
    row('bare POST, body and answer of a session token', { ...token, path: '/bare/token' }),
    row('POST /v1/auth/session-token, saved persona', token, 'bare POST, body and answer of a session token'),
    row('bare POST, the same with session options', { ...tokenWithOptions, path: '/bare/tokenWithOptions' }),
    row(
      'POST /v1/auth/session-token with session options (stored durably)',
      tokenWithOptions,
      'bare POST, the same with session options',
    ),
    row('bare GET, answer of a persona', { ...persona, path: '/bare/persona' }),
    row('GET /v1/personas/{id}', persona, 'bare GET, answer of a persona'),
    row('bare GET, answer of a list', { ...list, path: '/bare/list' }),
    row('GET /v1/personas?perPage=10', list, 'bare GET, answer of a list'),
  ];
  for (const { request } of rows) await load(service, request, WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round += 1) {
    for (const { request, measured } of rows) measured.push(await measure(service, request));
  }
  print(rows);
} finally {
  server.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
}

function load({ url, key }: BenchedService, { method, path, body }: BenchedRequest, duration: number) {
  const headers = { authorization: `Bearer ${key}` };
  const sent =
    body === undefined
      ? { headers }
      : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return autocannon({ url: url + path, method, connections, duration, ...sent });
}

async function measure(service: BenchedService, request: BenchedRequest): Promise<Measured> {
  server.stdin!.write('reset\n');
  await answer();
  const { requests, latency, non2xx, errors } = await load(service, request, seconds);
  server.stdin!.write('delay\n');
  const [loopP99 = 0, cpu = 0] = (await answer()).split(' ').map(Number);
  return {
    perSecond: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    loopP99,
    cpuMicros: cpu / requests.total,
    failed: non2xx + errors,
  };
}

function median(row: Row, value: (measured: Measured) => number): number {
  return row.measured.map(value).toSorted((a, b) => a - b)[Math.floor(row.measured.length / 2)]!;
}

function rate(row: Row): number {
  return median(row, ({ perSecond }) => perSecond);
}

/** The lowest value: other work on the machine can only add to it. */
function cpu(row: Row): number {
  return Math.min(...row.measured.map(({ cpuMicros }) => cpuMicros));
}

function print(rows: readonly Row[]): void {
  process.stdout.write(
    `Medians of ${rounds} rounds of ${seconds} s, ${connections} connections, ${values['database-url'] === undefined ? 'SQLite' : 'PostgreSQL'}\n\n`,
  );
  process.stdout.write(
    '| Route | requests/s | of bare | CPU µs/request | of bare, by CPU | p50 ms | p99 ms | loop delay p99 ms | failed |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n',
  );
  for (const row of rows) {
    const twin = rows.find(({ what }) => what === row.beside);
    const share = (own: number, bare: number): string => `${Math.round((100 * own) / bare)} %`;
    const cells = [
      row.what,
      Math.round(rate(row)),
      twin === undefined ? '' : share(rate(row), rate(twin)),
      cpu(row).toFixed(0),
      twin === undefined ? '' : share(cpu(twin), cpu(row)),
      median(row, (m) => m.p50),
      median(row, (m) => m.p99),
      median(row, (m) => m.loopP99).toFixed(1),
      row.measured.reduce((sum, m) => sum + m.failed, 0),
    ];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
}
