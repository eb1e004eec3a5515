import type { EngineRegistry } from '../engine-registry.ts';
import type { Supervisor } from './supervisor.ts';

/** The engines of this machine, as an engine process sees them: the supervisor knows them. */
export function registryOfSupervisor({ call }: Pick<Supervisor, 'call'>): EngineRegistry {
  return {
    renew: (report, fence) => call('registry.renew', report, fence),
    leave: (engineId, fence) => call('registry.leave', engineId, fence),
    own: (engineId, fence, sessionIds) => call('registry.own', engineId, fence, sessionIds),
    claim: (engineId, fence, reservationId) => call('registry.claim', engineId, fence, reservationId),
    reserve: (reservationId, wish, unwanted) => call('registry.reserve', reservationId, wish, unwanted),
    drop: (engineId, reservationId) => call('registry.drop', engineId, reservationId),
    ownerOf: (sessionId) => call('registry.ownerOf', sessionId),
    findLost: (engineId, sessionIds) => call('registry.findLost', engineId, sessionIds),
    engine: (engineId) => call('registry.engine', engineId),
    anyEngine: () => call('registry.anyEngine'),
    count: () => call('registry.count'),
    // It ends with the supervisor, and this process with it.
    onRestart: () => () => {},
  };
}
