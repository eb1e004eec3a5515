import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { LOAD_SHEDDING } from '../../engine/index.ts';
import type { Engine } from '../../engine/ports.ts';
import type { ControlPorts } from '../ports.ts';
import type { SessionStore } from '../sessions/records/session-store.ts';
import { HttpError } from '../errors/http-error.ts';
import { countTurns } from './turn-metrics.ts';
import type { EngineProcesses } from '../placement/engine-processes/engine-processes.ts';
import { joinedMetrics } from './joined-metrics.ts';
import { countProviderLatencies } from './provider-metrics.ts';
import type { Blobs } from '../store/blobs.ts';
import { freeDiskBytes } from '../store/disk-space.ts';

/** What `/metrics` counts of the control plane, and what the engine reports of itself. */
export interface ServiceMetrics {
  readonly registry: Registry;
  /** What clients report about their connections, by the name of the metric. */
  readonly clientReports: Counter<'name'>;
}

const PATH = '/metrics';
/** Seconds; the API answers in milliseconds, starting a session may take a second. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

type AddGauge = (name: string, help: string, read: () => number | Promise<number>) => void;

/** What is measured. */
type Measured = Pick<ControlPorts, 'faces' | 'latencies'> & {
  readonly engine: Engine;
  readonly sessions: Pick<SessionStore, 'listen'>;
  readonly blobs: Pick<Blobs, 'waiting'>;
  /** Engine processes, which measure themselves. Null: none. */
  readonly machine: Pick<EngineProcesses, 'metrics'> | null;
};

/** @param dataDir whose disk is watched. */
export function serveMetrics(
  app: FastifyInstance,
  { engine, sessions, blobs, faces, latencies, machine }: Measured,
  dataDir: string,
): ServiceMetrics {
  const registry = new Registry();
  const gauge: AddGauge = (name, help, read) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          this.set(await read());
        },
      }),
    );
  collectDefaultMetrics({ register: registry });
  countProviderLatencies(registry, latencies);
  countTurns(registry, (listener) => sessions.listen(listener));
  const requests = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const clientReports = new Counter({
    name: 'parley_client_reports_total',
    help: 'Reports of clients about their connections.',
    labelNames: ['name'],
    registers: [registry],
  });
  if (machine === null) measureEngine(registry, gauge, engine);
  gauge(
    'parley_faces_drawn',
    'Faces of the catalogue that are drawn ahead of their first session.',
    () => faces.status().drawn,
  );
  gauge('parley_faces_total', 'Faces of the catalogue.', () => faces.status().total);
  gauge('parley_disk_free_bytes', 'Room left on the disk of the data folder.', () => freeDiskBytes(dataDir));
  gauge('parley_files_waiting', 'Files that the bucket of PARLEY_BLOBS_URL does not have yet.', () => blobs.waiting());

  app.addHook('onResponse', (request, reply, done) => {
    // The route's pattern, never the address itself: each id would become a series of its own.
    const route = request.routeOptions.url ?? 'unknown';
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  app.get(PATH, { schema: { hide: true }, config: { access: 'open' } }, async (request, reply) => {
    // The router also takes `/metrics/` and `/%6Detrics`. A proxy that keeps this path from the public lets those pass.
    if (request.raw.url?.split('?')[0] !== PATH) throw new HttpError('notFound');
    return reply
      .type(registry.contentType)
      .send(joinedMetrics(await registry.metrics(), (await machine?.metrics()) ?? []));
  });
  return { registry, clientReports };
}

/** What the engine of this process reports of itself. */
function measureEngine(registry: Registry, gauge: AddGauge, engine: Engine): void {
  gauge('parley_sessions_active', 'Live sessions.', () => engine.status().activeSessions);
  gauge(
    'parley_sessions_capacity',
    'Sessions that can be live at the same time, as the machine is loaded now.',
    () => engine.status().capacity,
  );
  gauge('parley_sessions_free', 'How many more sessions are taken now.', () => engine.status().free);
  gauge('parley_promise_at_risk', '1: sound or frames of sessions are about to be late.', () =>
    Number(engine.status().promise === 'at risk'),
  );
  registry.registerMetric(
    new Gauge({
      name: 'parley_media_connections',
      help: 'Connections of clients by how their audio and video travel. TCP: the network of the client blocks UDP.',
      labelNames: ['protocol'],
      registers: [],
      collect() {
        const { udp, tcp } = engine.status().paths;
        this.set({ protocol: 'udp' }, udp);
        this.set({ protocol: 'tcp' }, tcp);
      },
    }),
  );
  gauge(
    'parley_ice_tcp_connections',
    'Open connections on the TCP port for media, also those that no session uses.',
    () => engine.status().paths.tcpConnections,
  );
  gauge('parley_faces_saving', '0: nothing; 1: loops; 2: half the frames of listeners; 3: of all.', () =>
    LOAD_SHEDDING.indexOf(engine.status().saving),
  );
}
