import type { Socket } from 'node:net';
import type { EngineOfPort, Logger, PublicRouter, RestorableSession } from '../../../engine/index.ts';
import type { Timers } from '../../../runtime/clock.ts';
import { answerCall, RemoteCalls } from '../../../runtime/remote-calls.ts';
import type { RestartRule } from '../../../runtime/restart-budget.ts';
import { SupervisedWorker } from '../../../runtime/supervised-worker.ts';
import type { EngineRegistryInMemory } from '../engine-registry-in-memory.ts';
import type { EngineRegistry } from '../engine-registry.ts';
import type { SlotLedger, SlotShare, SlotStarts } from '../slot-ledger.ts';
import type { VideoFunctions } from './remote-videos.ts';
import { HeldSlots, type SlotAnswer } from './held-slots.ts';
import type { JournalsInMemory } from './journals-in-memory.ts';
import type { EngineLink, LaunchEngine } from './launch-engine.ts';
import type { EngineBeginning, EngineState, FromEngine } from './messages.ts';
import { HeartbeatMonitor } from './heartbeat-monitor.ts';

type RegistryFunctions = {
  [Name in Exclude<keyof EngineRegistry, 'onRestart'> as `registry.${Name}`]: EngineRegistry[Name];
};

/** What the supervisor does for engine processes. */
export type SupervisorFunctions = RegistryFunctions & {
  'slots.take': (shares: readonly SlotShare[], starts: SlotStarts | null, slot: string) => Promise<SlotAnswer>;
  'slots.isFree': (shares: readonly SlotShare[]) => Promise<boolean>;
  'slots.count': (key: string) => Promise<number>;
};

/** What an engine process does for its supervisor. */
export type EngineFunctions = VideoFunctions & {
  /** Goes on with a session of a process that ended. Rejects when it cannot. */
  takeOver: (past: RestorableSession) => Promise<void>;
  /** Another process gets this session, which is live here or is being taken over. */
  sessionTakenOver: (sessionId: string) => Promise<void>;
  /** Takes no further session. */
  drain: () => Promise<void>;
  /** In the text format of Prometheus. */
  metrics: () => Promise<string>;
};

/** A process that is loading models on a slow machine is not ready for some time; one that never is must go, ms. */
const READY_WITHIN_MS = 180_000;
/** Between two starts of a process that keeps ending, ms, once the pauses of `RestartBudget` are used up. */
const LONG_REST_MS = 10_000;
/**
 * A session says goodbye within a second; the transport waits for farewells. Then it is killed, ms: a second before the
 * three within which a service is to stop.
 */
export const STOP_WITHIN_MS = 2_000;

export interface EngineProcessOptions {
  readonly number: number;
  readonly engineId: string;
  readonly launch: LaunchEngine;
  readonly beginning: EngineBeginning;
  readonly router: PublicRouter;
  readonly registry: EngineRegistryInMemory;
  readonly ledger: SlotLedger;
  readonly journals: JournalsInMemory;
  readonly timers: Timers;
  readonly log: Logger;
  /** @defaultValue that of all workers */
  readonly budget?: RestartRule | undefined;
  /** It ended. @param had its sessions, and some that were over. @param pasts of those that can go on elsewhere. */
  readonly died: (had: readonly string[], pasts: readonly RestorableSession[]) => void;
  /** It is ready for sessions, for the first time or again. */
  readonly ready: () => void;
}

/** Until a process must have taken a session over, ms: replaying an hour takes less than a second. */
const TAKE_OVER_MS = 10_000;
/** Until it must have let go of one that it did not take in time, ms. */
const TAKEN_OVER_MS = 1_000;

/** One life of the process. */
interface Life {
  readonly link: EngineLink;
  readonly port: EngineOfPort;
  readonly slots: HeldSlots;
  readonly calls: RemoteCalls<EngineFunctions>;
  /** Sessions that it is asked to take over. Until it has answered, whoever asked it sees to them. */
  readonly arriving: Set<string>;
  /** Whose journals are its own. */
  readonly number: number;
}

let lives = 0;

/** An engine in a process of its own: what it needs of the supervisor, and its next life when it ends. */
export class EngineProcess {
  readonly #options: EngineProcessOptions;
  readonly #worker: SupervisedWorker<{ readonly kind: 'stop' }, FromEngine>;
  readonly #heartbeats: HeartbeatMonitor;
  #life: Life | null = null;
  #state: EngineState | null = null;
  #problem: string | null = null;

  constructor(options: EngineProcessOptions) {
    this.#options = options;
    const { engineId, number, timers, log } = options;
    this.#heartbeats = new HeartbeatMonitor(timers, () => {
      log.error({ engineId }, 'an engine process has told nothing for some seconds, and is killed');
      this.#worker.kill();
    });
    this.#worker = new SupervisedWorker<{ readonly kind: 'stop' }, FromEngine>({
      name: `Engine process ${number}`,
      launch: (handlers) => this.#launch(handlers),
      start: 'at once',
      ready: ({ kind }) => kind === 'ready',
      readyWithinMs: READY_WITHIN_MS,
      stop: { message: { kind: 'stop' }, withinMs: STOP_WITHIN_MS },
      longRestMs: LONG_REST_MS,
      clock: options.timers,
      ...(options.budget !== undefined && { budget: options.budget }),
      message: (message) => this.#received(message),
      ended: ({ how }, after) => {
        this.#died();
        if (after.next !== 'stopped')
          options.log.error(
            { engineId, how, ...after },
            'an engine process ended; its sessions go on elsewhere, or are lost',
          );
      },
    });
  }

  /** Null: it is not ready, and has not told. */
  get state(): EngineState | null {
    return this.#state;
  }

  get engineId(): string {
    return this.#options.engineId;
  }

  get number(): number {
    return this.#options.number;
  }

  /** Of the system; null: none runs now. */
  get pid(): number | null {
    return this.#life?.link.pid ?? null;
  }

  /** What the operator has to solve before it can start; null: nothing is known. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Resolves when it can take sessions. @throws WorkerError when the present process ends before. */
  ready(): Promise<void> {
    return this.#worker.ready();
  }

  /** @throws RemoteCallError, also when no process runs. */
  async call<Name extends keyof EngineFunctions & string>(
    name: Name,
    withinMs: number,
    ...args: Parameters<EngineFunctions[Name]>
  ): Promise<Awaited<ReturnType<EngineFunctions[Name]>>> {
    if (this.#life === null) throw new Error('the engine process is not running');
    return (await this.#life.calls.call(name, withinMs, ...args)) as Awaited<ReturnType<EngineFunctions[Name]>>;
  }

  /** It goes on with a session of a process that died. @throws when it cannot. */
  async takeOver(past: RestorableSession): Promise<void> {
    const { journals, timers } = this.#options;
    const life = this.#life;
    if (life === null) throw new Error('the engine process is not running');
    const { sessionId } = past;
    life.arriving.add(sessionId);
    this.#noteGivenUp(journals.handTo(life.number, past, timers.now()));
    try {
      await life.calls.call('takeOver', TAKE_OVER_MS, past);
    } catch (error) {
      // It may only be late. Of two processes that have a session, the client would talk to either.
      await life.calls.call('sessionTakenOver', TAKEN_OVER_MS, sessionId).catch(() => {});
      journals.close(life.number, sessionId);
      throw error;
    } finally {
      life.arriving.delete(sessionId);
    }
  }

  /** It ends its sessions, and is not started again. Resolves within `STOP_WITHIN_MS`, or soon after. */
  stop(): Promise<void> {
    const stopped = this.#worker.stop();
    // One that is still starting has no sessions, and would hear of it only when all is loaded.
    if (this.#state === null) this.#worker.kill();
    return stopped;
  }

  #launch(handlers: Parameters<LaunchEngine>[0]): EngineLink {
    const { launch, beginning, ledger, timers } = this.#options;
    const link = launch(handlers);
    const port: EngineOfPort = { tell: (message, socket?: Socket) => link.tell(message, socket) };
    const calls = new RemoteCalls<EngineFunctions>((message) => link.tell(message), timers);
    this.#life = { link, port, calls, slots: new HeldSlots(ledger), arriving: new Set(), number: (lives += 1) };
    this.#problem = null;
    link.tell({ kind: 'begin', beginning });
    return link;
  }

  #received(message: FromEngine): void {
    const life = this.#life;
    if (life === null) return;
    const { router, journals, timers } = this.#options;
    switch (message.kind) {
      case 'ready':
        return this.#options.ready();
      case 'unable':
        this.#problem = message.problem;
        return;
      case 'state':
        this.#state = message.state;
        return this.#heartbeats.beat();
      case 'slot.adopt':
        return life.slots.adopt(message.shares, message.slot);
      case 'slot.drop':
        return life.slots.drop(message.slot);
      case 'journal':
        return this.#noteGivenUp(journals.add(life.number, message.addition, timers.now()));
      case 'journal.close':
        return journals.close(life.number, message.sessionId);
      case 'call':
        return void answerCall(this.#functions(life), message).then((answer) => life.link.tell(answer));
      case 'answer':
        return life.calls.answered(message);
      default:
        return router.told(life.port, message);
    }
  }

  #noteGivenUp(sessionIds: readonly string[]): void {
    const { log, engineId } = this.#options;
    for (const sessionId of sessionIds)
      log.warn({ sessionId, engineId }, 'what this session needs to go on elsewhere is too large to be kept');
  }

  #functions({ slots }: Life): SupervisorFunctions {
    const { registry, ledger } = this.#options;
    return {
      'registry.renew': (report, fence) => registry.renew(report, fence),
      'registry.leave': (engineId, fence) => registry.leave(engineId, fence),
      'registry.own': (engineId, fence, sessionIds) => registry.own(engineId, fence, sessionIds),
      'registry.claim': (engineId, fence, reservationId) => registry.claim(engineId, fence, reservationId),
      'registry.reserve': (reservationId, wish, unwanted) => registry.reserve(reservationId, wish, unwanted),
      'registry.drop': (engineId, reservationId) => registry.drop(engineId, reservationId),
      'registry.ownerOf': (sessionId) => registry.ownerOf(sessionId),
      'registry.findLost': (engineId, sessionIds) => registry.findLost(engineId, sessionIds),
      'registry.engine': (engineId) => registry.engine(engineId),
      'registry.anyEngine': () => registry.anyEngine(),
      'registry.count': () => registry.count(),
      'slots.take': (shares, starts, slot) => slots.take(shares, starts, slot),
      'slots.isFree': (shares) => ledger.isFree(shares),
      'slots.count': (key) => ledger.count(key),
    };
  }

  #died(): void {
    const life = this.#life;
    if (life === null) return;
    this.#life = null;
    this.#state = null;
    this.#heartbeats.end();
    const { registry, router, journals, timers, engineId, died } = this.#options;
    const had = registry.ended(engineId).filter((sessionId) => !life.arriving.has(sessionId));
    for (const sessionId of life.arriving) journals.close(life.number, sessionId);
    router.died(life.port);
    life.slots.dropAll();
    life.calls.end('the engine process ended');
    died(had, journals.takeOf(life.number, timers.now()));
  }
}
