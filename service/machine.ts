import {
  EngineProcesses,
  EngineRegistryInMemory,
  EngineStartError,
  engineLauncher,
  endSessions,
  SlotsInMemory,
  type FacesAhead,
  type SessionStore,
  type Settings,
  type SlotLedger,
  type Store,
} from '../control/index.ts';
import { type IceCredentialMaker, openPublicRouter, StartError, type Logger } from '../engine/index.ts';
import { systemTimers } from '../runtime/clock.ts';
import { engineIdOf } from './engine-count.ts';
import { engineSettings } from './engine-settings.ts';

/** The engine processes of this machine and what they share. */
export interface Machine {
  readonly registry: EngineRegistryInMemory;
  readonly ledger: SlotLedger;
  readonly engines: EngineProcesses;
  /** @throws StartError */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Takes the public ports, for several engine processes. They are not started yet.
 * @param ledger counts sessions, also those of other machines. @defaultValue those of this machine
 * @throws Error of the operating system when a port cannot be bound.
 */
export async function openMachine(options: {
  readonly count: number;
  readonly settings: Settings;
  readonly store: Store;
  readonly sessions: SessionStore;
  readonly ledger: SlotLedger | null;
  readonly iceCredentials: IceCredentialMaker;
  readonly log: Logger;
}): Promise<Machine> {
  const { count, settings, store, sessions, iceCredentials: credentials, log } = options;
  const { publicAddresses, bindAddress, udpPort, tcpPort } = engineSettings(settings);
  const router = await openPublicRouter({ publicAddresses, bindAddress, port: udpPort, tcpPort, credentials, log });
  const registry = new EngineRegistryInMemory(systemTimers.now);
  const ledger = options.ledger ?? new SlotsInMemory(Date.now);
  const engines = new EngineProcesses({
    count,
    engineIdOf: (number) => engineIdOf(settings.PARLEY_ENGINE_ID, number),
    launch: engineLauncher(new URL('./engine-process.ts', import.meta.url), process.env),
    router,
    registry,
    ledger,
    timers: systemTimers,
    log,
    lost: (engineId, sessionIds) => void endSessions({ store, sessions, log }, engineId, sessionIds, Date.now()),
  });
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
    async close() {
      await engines.stop();
      await router.close();
    },
  };
}

/** What is drawn ahead of the first conversations: the first engine process does it. */
export function facesOf(engines: EngineProcesses): FacesAhead {
  return {
    status() {
      const [first] = engines.list();
      return first?.state?.faces ?? { drawing: true, drawn: 0, total: 0 };
    },
  };
}

/** @returns why personas cannot go into meetings; null: they can, in engine processes that have started. */
export function noMeetingsOf(engines: EngineProcesses): string | null {
  return engines.list()[0]?.state?.noMeetings ?? null;
}
