import type { PlacementRequest } from './engine-places.ts';

/** A node with an engine. */
export interface EngineNode {
  readonly engineId: string;
  /** Internal address, without a trailing slash. */
  readonly url: string;
}

/** What others know of an engine. */
export interface EngineIdentity {
  readonly id: string;
  readonly region: string;
  /** Internal address of its node, without a trailing slash. */
  readonly url: string;
  readonly version: string;
}

/** What an engine tells of itself, again and again. */
export interface EngineReport extends EngineIdentity {
  /** Sessions that it could have now, those that are live included. */
  readonly places: number;
  /** Sessions that it has, and those that it has begun to start. */
  readonly used: number;
  /** It takes no further session. */
  readonly draining: boolean;
  /** It takes nobody at present although places are free, because the machine is busy. @defaultValue false */
  readonly busy?: boolean;
}

/** Why no engine takes a session. */
export type PlacementRefusal = 'full' | 'busy' | 'none';

/** An engine that was chosen for a session. */
export interface ChosenEngine extends EngineNode {
  /** Grows whenever the engine begins anew. */
  readonly fence: string;
}

/**
 * The engines of one service with their places and sessions: in Redis for nodes on several machines, in the memory of the
 * supervisor for the processes of one machine. Everything is one step: two nodes never get the same place. All functions
 * reject when the registry does not answer.
 */
export interface EngineRegistry {
  /**
   * The engine lives, and has the lease for some seconds more. @param fence its number; null: it has none yet, or lost it.
   * @returns its number; null when the lease was lost: then it needs another one.
   */
  renew(report: EngineReport, fence: string | null): Promise<string | null>;
  /** The engine is gone at once, unless another process has its name meanwhile. */
  leave(engineId: string, fence: string): Promise<void>;
  /** The engine has these sessions. */
  own(engineId: string, fence: string, sessionIds: readonly string[]): Promise<void>;
  /** Takes a reserved place, once. @returns false when the reservation is void. */
  claim(engineId: string, fence: string, reservationId: string): Promise<boolean>;
  /**
   * Keeps a place for a few seconds, on the engine with the smallest share of its places taken.
   * @returns `none` when no engine is there that could ever take the session; `busy`: one that is full would take it if the
   * machine had the time. Redis knows only `full`.
   */
  reserve(
    reservationId: string,
    wish: PlacementRequest,
    unwanted: readonly string[],
  ): Promise<ChosenEngine | PlacementRefusal>;
  /** The place is not needed. */
  drop(engineId: string, reservationId: string): Promise<void>;
  /** @returns the node that has the session; null: none that lives. */
  ownerOf(sessionId: string): Promise<EngineNode | null>;
  /**
   * Of an engine that does not report. @returns those of these sessions that others have now, or may take. An engine whose
   * report is only late still has all of its own.
   */
  findLost(engineId: string, sessionIds: readonly string[]): Promise<readonly string[]>;
  /** @returns null when that engine does not live. */
  engine(engineId: string): Promise<EngineNode | null>;
  /** @returns a node with an engine, the least loaded first; null: none lives. */
  anyEngine(): Promise<EngineNode | null>;
  /** Of all engines that take sessions. */
  count(): Promise<{ readonly places: number; readonly free: number }>;
  /** @param listener called when the registry may have forgotten everything. @returns ends this. */
  onRestart(listener: () => void): () => void;
}
