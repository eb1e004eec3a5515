import type { Engine, EngineStatus } from '../../engine/ports.ts';
import { HttpError } from '../errors/http-error.ts';
import { PlaceRefused } from './place-refused.ts';
import { sessionErrors } from '../errors/session-errors.ts';

/** Where a session wants to run. */
export interface PlacementRequest {
  /** Null: anywhere. */
  readonly region: string | null;
  /** `strict`: nowhere else. */
  readonly policy: 'preferred' | 'strict';
}

/** A place of this engine that a session has. */
export interface TakenPlace {
  /** The session has begun: every node finds it from now on. Never rejects. */
  startedAs(sessionId: string): Promise<void>;
  /** May be called more than once, and never throws. */
  giveBack(): void;
}

/** A process that knows no others: the engine and `SessionSlots` count its sessions. */
const UNCOUNTED: TakenPlace = { startedAs: async () => {}, giveBack() {} };

/** The places of the engine in this process. */
export class EnginePlaces {
  readonly #engine: Pick<Engine, 'status'>;
  readonly #region: string;
  readonly #hold: () => TakenPlace;

  /** @param hold counts a session where other nodes see it. @defaultValue there are none */
  constructor(engine: Pick<Engine, 'status'>, region: string, hold = (): TakenPlace => UNCOUNTED) {
    this.#engine = engine;
    this.#region = region;
    this.#hold = hold;
  }

  /** Counts a session that is here in any case. */
  hold(): TakenPlace {
    return this.#hold();
  }

  /** Takes a place here. @throws HttpError 429 when the engine is full or busy, 503 when it is not the one that is wanted. */
  take({ region, policy }: PlacementRequest): TakenPlace {
    const status = this.#engine.status();
    const { ready, free } = status;
    if (!ready) throw new HttpError(sessionErrors.noEngines);
    if (policy === 'strict' && region !== this.#region) throw noEngineIn(region);
    if (free <= 0)
      throw new PlaceRefused(isBusy(status) ? sessionErrors.machineBusy : sessionErrors.concurrentSessions);
    return this.#hold();
  }
}

/** Not all of the places that the machine has for itself are taken, and it takes nobody at present. */
export function isBusy({ ready, free, capacityAlone, activeSessions }: EngineStatus): boolean {
  return ready && free <= 0 && activeSessions < capacityAlone;
}

export function noEngineIn(region: string | null): HttpError {
  return new HttpError(sessionErrors.noEngines, { message: `No engine runs in the region "${region}".` });
}
