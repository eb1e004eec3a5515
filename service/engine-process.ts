import {
  JournalsOfSupervisor,
  localUrl,
  registryOfSupervisor,
  SealedJournals,
  SlotsOfSupervisor,
  type Settings,
  type Supervisor,
} from '../control/index.ts';
import { IceCredentialMaker, type Logger, type RunningEngine } from '../engine/index.ts';
import { systemTimers } from '../runtime/clock.ts';
import { openCluster } from './parts/cluster.ts';
import { openApp, openControlPlane } from './parts/control-plane.ts';
import { prerenderAvatars, type AvatarPrerenderer } from './parts/prerender-avatars.ts';
import { openFoundation, type Foundation } from './parts/foundation.ts';
import { loadLibraries } from './parts/load-libraries.ts';
import { type TakeOver, takeOverSealed } from './parts/migration.ts';
import { openInProcessEngine, type InProcessEngineParts } from './parts/in-process-engine.ts';
import { serveSupervisor } from './parts/serve-supervisor.ts';
import { listenAddress } from './process/listen-address.ts';
import { settingsOfEngine } from './settings/engine-count.ts';

/** Where engine processes listen for their supervisor. */
const LOOPBACK = '127.0.0.1';

export interface OpenEngineProcess {
  /** Not started yet. */
  readonly faces: AvatarPrerenderer;
  close(): Promise<void>;
}

/**
 * One of several engine processes of a service. Its supervisor has the public ports, the data folder, and what the
 * engines count and keep together.
 * @throws when a part cannot start.
 */
export async function openEngineProcess(
  given: Settings,
  log: Logger,
  supervisor: Supervisor,
): Promise<OpenEngineProcess> {
  const closing = new AsyncDisposableStack();
  const ofEngine = settingsOfEngine(given, supervisor.beginning);
  const settings = { ...ofEngine, PARLEY_HOST: await listenAddress(given.PARLEY_HOST) };
  const foundation = await openFoundation(closing, settings, log);
  const journals = new JournalsOfSupervisor(supervisor, systemTimers);
  const sealed = new SealedJournals(journals, foundation.storage.secrets.derive('journals'));
  const engine = await openSupervisedEngine({ ...foundation, journals: sealed }, supervisor);
  const plane = await openControlPlane(closing, foundation, engine, { engine: null, engines: null });
  const cluster = openCluster(closing, foundation, {
    registry: registryOfSupervisor(supervisor),
    nodeUrl: () => localUrl(app.server, LOOPBACK),
    engine,
    journals: null,
    reservations: plane.reservations,
  });
  const faces = prerenderAvatars({ engine, avatars: plane.catalogue.avatars, all: settings.PARLEY_DRAW_AHEAD, log });
  let state: 'open' | 'draining' = 'open';
  let takeOverSession: TakeOver = async () => {};
  const app = await openApp(closing, foundation, plane, engine, {
    faces,
    localModels: null,
    slotLedger: new SlotsOfSupervisor(supervisor),
    cluster,
    draining: () => state === 'draining' || !engine.status().ready,
    // Its supervisor drains the engine itself.
    drain: () => engine.drain(),
    canTakeOver: (takeOver) => void (takeOverSession = takeOverSealed(sealed, takeOver)),
  });
  engine.attach(app.server, cluster?.forwardSocket.bind(cluster));
  await app.listen({ host: LOOPBACK, port: 0 });
  await cluster?.start();
  void loadLibraries(foundation);
  const meetingsUnavailable = plane.meetings.meetingsUnavailable?.why ?? null;
  const endTelling = serveSupervisor(supervisor, {
    engine,
    cluster,
    faces,
    app,
    meetingsUnavailable,
    takeOver: (past) => takeOverSession(past),
  });
  return {
    faces,
    async close() {
      state = 'draining';
      faces.close();
      await Promise.all([plane.videos.close(), cluster?.drain()]);
      endTelling();
      await engine.close();
      await closing.disposeAsync();
    },
  };
}

/** Its media come through the ports of the supervisor. */
function openSupervisedEngine(
  parts: InProcessEngineParts & Pick<Foundation, 'storage'>,
  { beginning, ports }: Supervisor,
): Promise<RunningEngine> {
  return openInProcessEngine(parts, {
    iceCredentials: new IceCredentialMaker(parts.storage.secrets.derive('ice-credentials')[0]!.bytes),
    portOwner: ports,
    siblings: { engines: beginning.engines, parentPid: process.ppid },
  });
}
