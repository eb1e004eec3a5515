import { Gauge } from 'prom-client';
import type { Timers } from '../../../runtime/clock.ts';
import { freeDiskBytes } from '../../store/disk-space.ts';
import type { Store } from '../../store/open.ts';
import { enginesOf, type EnginesState, type EnginesOfParts } from './engines-of.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ServiceMetrics } from '../../telemetry/prometheus.ts';

/** What is taken of the service here. */
export type ReadinessParts = EnginesOfParts & {
  readonly settings: Pick<Settings, 'PARLEY_DATA_DIR' | 'PARLEY_MIN_FREE_DISK_MB'>;
  readonly store: Store;
  readonly metrics: ServiceMetrics;
  readonly timers: Timers;
};

const MEGABYTE = 1024 * 1024;
/** A database that hangs is away: whoever asks gives up after a few seconds, ms. */
const DATABASE_ANSWERS_MS = 2000;

/** Whether the service can take a session, and what is in the way. */
export interface Readiness {
  readonly ready: boolean;
  readonly database: 'ok' | 'down';
  readonly disk: 'ok' | 'full';
  /** `draining`: as asked, it takes no further session. */
  readonly engine: 'ok' | 'draining' | 'down';
  readonly engines: EnginesState;
}

export async function readinessOf(
  control: Pick<
    ReadinessParts,
    'settings' | 'store' | 'engine' | 'cluster' | 'machine' | 'reservations' | 'draining' | 'timers'
  >,
): Promise<Readiness> {
  const { store, settings, timers, draining } = control;
  const [database, freeDisk, engines] = await Promise.all([
    databaseState(store, timers),
    freeDiskBytes(settings.PARLEY_DATA_DIR),
    enginesOf(control),
  ]);
  const disk = freeDisk < settings.PARLEY_MIN_FREE_DISK_MB * MEGABYTE ? 'full' : 'ok';
  const engine = draining() ? 'draining' : engines.ready ? 'ok' : 'down';
  return { ready: database === 'ok' && disk === 'ok' && engine === 'ok', database, disk, engine, engines };
}

/** Adds to `/metrics` what alerts need to tell a drain from trouble. */
export function measureReadiness(control: ReadinessParts): void {
  const gauge = (name: string, help: string, read: () => boolean | Promise<boolean>): void =>
    control.metrics.registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          this.set(Number(await read()));
        },
      }),
    );
  gauge('parley_ready', '1: it takes sessions, as /readyz says.', async () => (await readinessOf(control)).ready);
  gauge('parley_draining', '1: it was asked to stop or to take no further session.', control.draining);
  gauge(
    'parley_database_up',
    '1: the database answers.',
    async () => (await databaseState(control.store, control.timers)) === 'ok',
  );
}

function databaseState(store: Store, timers: Timers): Promise<'ok' | 'down'> {
  return new Promise((resolve) => {
    const late = timers.setTimeout(() => resolve('down'), DATABASE_ANSWERS_MS);
    const answer = (state: 'ok' | 'down') => (): void => {
      timers.clearTimeout(late);
      resolve(state);
    };
    store.ping().then(answer('ok'), answer('down'));
  });
}
