import type { Settings } from '../control/index.ts';
import { absentEngine, type Logger } from '../engine/index.ts';
import { systemTimers } from '../runtime/clock.ts';
import { releaseMemoryWhenIdle } from '../runtime/idle-memory.ts';
import { PROCESS_MEMORY } from '../runtime/allocator.ts';
import type { OpenService } from './service.ts';
import { openCluster } from './parts/cluster.ts';
import { openApp, openControlPlane } from './parts/control-plane.ts';
import { avatarPrerenderingOf, meetingsUnavailableReason, openMachine } from './parts/engine-processes.ts';
import { prerenderAvatars } from './parts/prerender-avatars.ts';
import { openMainFoundation } from './parts/foundation.ts';
import { openHousekeeping } from './parts/housekeeping.ts';
import { listen } from './parts/listen.ts';
import { modelLibrary } from './parts/local-models.ts';

/**
 * A service whose engines are processes of their own: this one has the API, the public ports and what the engines
 * share.
 * @throws when a part cannot start.
 */
export async function openSupervisor(
  given: Settings,
  log: Logger,
  { engines: count, restart }: { readonly engines: number; readonly restart: () => void },
): Promise<OpenService> {
  const closing = new AsyncDisposableStack();
  const foundation = await openMainFoundation(closing, given, log, { PARLEY_ROLE: 'control' });
  const { settings, providers } = foundation;
  const machine = await openMachine(closing, foundation, count);
  const { engines, registry, ledger } = machine;
  const engine = absentEngine(log);
  const plane = await openControlPlane(closing, foundation, engine, { engine: null, engines });
  const { reservations } = plane;
  const cluster = openCluster(closing, foundation, { registry, engine, journals: null, reservations });
  const faces = prerenderAvatars({ engine, avatars: plane.catalogue.avatars, all: settings.PARLEY_DRAW_AHEAD, log });
  const isIdle = (): boolean => engines.liveSessions === 0;
  closing.defer(releaseMemoryWhenIdle(isIdle, systemTimers, PROCESS_MEMORY));
  const library = modelLibrary(settings, { notes: providers.local.notes, isIdle, restart, log });
  let state: 'open' | 'draining' = 'open';
  const drain = async (): Promise<void> => {
    state = 'draining';
    await engines.drain();
    await cluster?.drain();
  };
  const app = await openApp(closing, foundation, plane, engine, {
    faces: avatarPrerenderingOf(engines),
    localModels: library,
    slotLedger: ledger,
    machine: engines,
    cluster,
    draining: () => state === 'draining',
    drain: () =>
      void drain().catch((error: unknown) => log.error({ err: error }, 'engine processes could not be drained')),
  });
  engine.attach(app.server, cluster?.forwardSocket.bind(cluster));
  await openHousekeeping(closing, foundation, plane);
  await machine.start();
  const where = await listen(foundation, { app, cluster, engine });
  return {
    ...where,
    faces,
    local: providers.local,
    library,
    engines: count,
    meetingsUnavailable: meetingsUnavailableReason(engines),
    drain,
    async close() {
      state = 'draining';
      library?.close();
      faces.close();
      // Engine processes end meanwhile: their limit is most of the time that a stop may take.
      const ended = engines.stop();
      await Promise.all([plane.videos.close(), cluster?.drain()]);
      await ended;
      await engine.close();
      await closing.disposeAsync();
    },
  };
}
