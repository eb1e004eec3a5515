/**
 * Requests per second and latency of the control plane beside a bare Fastify route with the same schema check and a
 * bare SQLite query, in one run: `node bench/control-plane.ts [--seconds 5] [--connections 50] [--database-url URL]`.
 * The server is a process of its own; the load comes from this one. Prints the server's event-loop delay and its CPU
 * time for each request (all threads): unlike the rates it hardly depends on what else the machine does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import type { BenchedService } from './control-plane/server.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' }, connections: { type: 'string', default: '50' }, 'database-url': { type: 'string' } } });
const seconds = Number(values.seconds);
const connections = Number(values.connections);
/** Runs before each measurement, so that code is compiled and statements are prepared. */
const WARM_UP_SECONDS = 1;

interface Row {
  readonly what: string;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly loopP99: number;
  readonly cpuMicros: number;
  readonly failed: number;
}

const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const script = fileURLToPath(new URL('./control-plane/server.ts', import.meta.url));
const server: ChildProcess = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, dataDir, values['database-url'] ?? ''], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: server.stdout! })[Symbol.asyncIterator]();
const answer = async (): Promise<string> => (await lines.next()).value as string;

try {
  const service = JSON.parse(await answer()) as BenchedService;
  const authorization = `Bearer ${service.key}`;
  const post = (path: string, body: object) => ({ path, method: 'POST' as const, body: JSON.stringify(body), headers: { authorization, 'content-type': 'application/json' } });
  const get = (path: string) => ({ path, method: 'GET' as const, headers: { authorization } });
  const token = { personaConfig: { personaId: service.personaId }, clientLabel: 'bench' };

  const rows = [
    await measure('bare Fastify route, body checked by the same schema', post('/bare', token)),
    await measure('bare route with one SQLite query on the main thread', get('/bare-query')),
    await measure('POST /v1/auth/session-token (stored durably)', post('/v1/auth/session-token', token)),
    await measure('GET /v1/personas/{id}', get(`/v1/personas/${service.personaId}`)),
    await measure('GET /v1/personas?perPage=10', get('/v1/personas?perPage=10')),
  ];
  print(rows);

  async function measure(what: string, request: { path: string; method: 'GET' | 'POST'; body?: string; headers: Record<string, string> }): Promise<Row> {
    const { path, ...rest } = request;
    const load = (duration: number) => autocannon({ url: service.url + path, connections, duration, ...rest });
    await load(WARM_UP_SECONDS);
    server.stdin!.write('reset\n');
    await answer();
    const result = await load(seconds);
    server.stdin!.write('delay\n');
    const [loopP99 = 0, cpu = 0] = (await answer()).split(' ').map(Number);
    return { what, perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99, loopP99, cpuMicros: cpu / result.requests.total, failed: result.non2xx + result.errors };
  }
} finally {
  server.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
}

function print(rows: readonly Row[]): void {
  const bare = rows[0]!.perSecond;
  process.stdout.write(`${connections} connections, ${seconds} s each, ${values['database-url'] === undefined ? 'SQLite' : 'PostgreSQL'}\n\n`);
  process.stdout.write('| Route | requests/s | of bare | CPU µs/request | p50 ms | p99 ms | loop delay p99 ms | failed |\n|---|---:|---:|---:|---:|---:|---:|---:|\n');
  for (const row of rows) {
    process.stdout.write(`| ${row.what} | ${Math.round(row.perSecond)} | ${Math.round((row.perSecond / bare) * 100)} % | ${Math.round(row.cpuMicros)} | ${row.p50} | ${row.p99} | ${row.loopP99.toFixed(1)} | ${row.failed} |\n`);
  }
}
