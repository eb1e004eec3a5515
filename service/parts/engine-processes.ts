import {
  EngineProcesses,
  EngineRegistryInMemory,
  EngineStartError,
  engineLauncher,
  endSessions,
  SlotsInMemory,
  type AvatarPrerendering,
  type SlotLedger,
} from '../../control/index.ts';
import { IceCredentialMaker, openPublicRouter, StartError } from '../../engine/index.ts';
import { systemTimers } from '../../runtime/clock.ts';
import type { Foundation } from './foundation.ts';
import { openSharedSlots } from './shared-slots.ts';
import { engineIdOf } from '../settings/engine-count.ts';
import { engineSettings } from '../settings/engine-settings.ts';

/** The engine processes of this machine, and the parts that they share. */
export interface Machine {
  readonly registry: EngineRegistryInMemory;
  readonly ledger: SlotLedger;
  readonly engines: EngineProcesses;
  /** @throws StartError */
  start(): Promise<void>;
}

/**
 * Takes the public ports, for several engine processes. They are not started yet. Sessions are counted together with
 * those of other machines, where Redis is shared.
 * @throws Error of the operating system when a port cannot be bound.
 */
export async function openMachine(
  closing: AsyncDisposableStack,
  { settings, storage, records: { sessions }, log }: Foundation,
  count: number,
): Promise<Machine> {
  const { store, secrets } = storage;
  const ledger = openSharedSlots(closing, storage, log) ?? new SlotsInMemory(Date.now);
  const credentials = new IceCredentialMaker(secrets.derive('ice-credentials')[0]!.bytes);
  const { publicAddresses, ownMachineAddresses, udpPort, tcpPort } = engineSettings(settings);
  const router = await openPublicRouter({
    publicAddresses,
    ownMachineAddresses,
    port: udpPort,
    tcpPort,
    credentials,
    log,
  });
  const registry = new EngineRegistryInMemory(systemTimers.now);
  const engines = new EngineProcesses({
    count,
    engineIdOf: (number) => engineIdOf(settings.PARLEY_ENGINE_ID, number),
    launch: engineLauncher(new URL('../run-engine-process.ts', import.meta.url), process.env),
    router,
    registry,
    ledger,
    timers: systemTimers,
    log,
    lost: (engineId, sessionIds) => void endSessions({ store, sessions, log }, engineId, sessionIds, Date.now()),
  });
  closing.defer(() => engines.stop().then(() => router.close()));
  return {
    registry,
    ledger,
    engines,
    async start() {
      try {
        await engines.start();
      } catch (error) {
        if (error instanceof EngineStartError && error.problem !== null)
          throw new StartError(error.problem, { cause: error });
        throw error;
      }
    },
  };
}

/** Progress of drawing avatars in advance, which the first engine process does. */
export function avatarPrerenderingOf(engines: EngineProcesses): AvatarPrerendering {
  return {
    status() {
      const [first] = engines.list();
      return first?.state?.faces ?? { drawing: true, drawn: 0, total: 0 };
    },
  };
}

/** @returns why personas cannot join meetings; null: they can, in engine processes that have started. */
export function meetingsUnavailableReason(engines: EngineProcesses): string | null {
  return engines.list()[0]?.state?.meetingsUnavailable ?? null;
}
