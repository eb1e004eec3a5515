import { SealedJournals, type MasterKeys, type Settings } from '../control/index.ts';
import { absentEngine, IceCredentialMaker, localAddresses, type Logger, type RunningEngine } from '../engine/index.ts';
import type { Guard } from './guard/connect-to-guard.ts';
import type { OpenService } from './service.ts';
import { openCluster } from './parts/cluster.ts';
import { openApp, openControlPlane } from './parts/control-plane.ts';
import { prerenderAvatars } from './parts/prerender-avatars.ts';
import { openMainFoundation } from './parts/foundation.ts';
import { openHousekeeping } from './parts/housekeeping.ts';
import { listen } from './parts/listen.ts';
import { modelLibrary } from './parts/local-models.ts';
import { handOverWithDeadline, openHandovers, openJournals, openTakeovers } from './parts/migration.ts';
import { openInProcessEngine, type InProcessEngineParts } from './parts/in-process-engine.ts';
import { openSharedSlots } from './parts/shared-slots.ts';
import { engineSettings } from './settings/engine-settings.ts';

/**
 * A service in one process: control plane and engine, or with `PARLEY_ROLE` one of them, then as a node of a cluster.
 * @throws when a part cannot start.
 */
export async function openEmbedded(
  given: Settings,
  log: Logger,
  { guard, restart }: { readonly guard: Guard | null; readonly restart: () => void },
): Promise<OpenService> {
  const closing = new AsyncDisposableStack();
  const foundation = await openMainFoundation(closing, given, log);
  const { settings, storage, records, providers } = foundation;
  const slots = openSharedSlots(closing, storage, log);
  const journals = openJournals(closing, settings, storage, (sessionId) => engine.sessionTakenOver(sessionId), log);
  const sealed = journals === null ? null : new SealedJournals(journals, storage.secrets.derive('journals'));
  const hasEngine = settings.PARLEY_ROLE !== 'control';
  const engine: RunningEngine = hasEngine
    ? await openGuardedEngine({ ...foundation, journals: sealed }, storage.secrets, guard)
    : absentEngine(log);
  const makers = { engine: hasEngine ? engine : null, engines: null };
  const plane = await openControlPlane(closing, foundation, engine, makers);
  const cluster = openCluster(closing, foundation, { engine, journals, reservations: plane.reservations });
  const handovers = openHandovers(engine, cluster, log);
  const faces = prerenderAvatars({ engine, avatars: plane.catalogue.avatars, all: settings.PARLEY_DRAW_AHEAD, log });
  const library = hasEngine
    ? modelLibrary(settings, { notes: providers.local.notes, isIdle: () => engine.liveSessions() === 0, restart, log })
    : null;
  let state: 'open' | 'draining' = 'open';
  const drain = async (): Promise<void> => {
    state = 'draining';
    engine.drain();
    await cluster?.drain();
    await handovers?.run('in any case');
  };
  const app = await openApp(closing, foundation, plane, engine, {
    faces,
    localModels: library,
    slotLedger: slots ?? undefined,
    cluster,
    draining: () => state === 'draining' || (hasEngine && !engine.status().ready),
    drain: () => void drain().catch((error: unknown) => log.error({ err: error }, 'sessions could not be handed over')),
    canTakeOver: (takeOver) => openTakeovers(foundation, { cluster, engine, sealed }, takeOver),
  });
  engine.attach(app.server, cluster?.forwardSocket.bind(cluster));
  await openHousekeeping(closing, foundation, plane, cluster === null ? undefined : (ids) => cluster.findLive(ids));
  return {
    ...(await listen(foundation, { app, cluster, engine })),
    faces,
    local: providers.local,
    library,
    engines: 1,
    meetingsUnavailable: plane.meetings.meetingsUnavailable?.why ?? null,
    drain,
    async close() {
      state = 'draining';
      library?.close();
      faces.close();
      await Promise.all([plane.videos.close(), cluster?.drain()]);
      if (handovers !== null) await handOverWithDeadline(handovers, records.sessions);
      await engine.close();
      await closing.disposeAsync();
    },
  };
}

/** Opens the engine once the guard has let go of the media ports, and tells it which ones they are. */
async function openGuardedEngine(
  parts: InProcessEngineParts,
  secrets: MasterKeys,
  guard: Guard | null,
): Promise<RunningEngine> {
  // Every process of the deployment has it, so each can refuse the clients of one that died.
  const key = secrets.derive('ice-credentials')[0]!.bytes;
  await guard?.portsFree();
  const engine = await openInProcessEngine(parts, { iceCredentials: new IceCredentialMaker(key) });
  const ips = localAddresses(engineSettings(parts.settings, parts.providers.local)).map(({ ip }) => ip);
  guard?.tell({ kind: 'hasPorts', ports: { ips, udpPort: engine.udpPort, key } });
  return engine;
}
