import type { MediaPorts, RefusingPorts } from '../../engine/transport/ice/refusing-ports.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { Launch, WorkerEnd } from '../../runtime/link.ts';
import { SupervisedWorker, type AfterEnd } from '../../runtime/supervised-worker.ts';
import type { FromNode, ToNode } from './messages.ts';

/** A node that waits for its database gives up by itself earlier, ms. */
const READY_WITHIN_MS = 10 * 60_000;
/** The node hands its sessions over for up to 7 s, and then closes, ms. The guard's supervisor may kill it sooner. */
const STOP_WITHIN_MS = 30_000;

export interface NodeGuardOptions {
  /** Starts the node. */
  readonly launch: Launch<ToNode, FromNode>;
  /** @throws when the ports are in use. */
  readonly refuse: (ports: MediaPorts) => Promise<RefusingPorts>;
  readonly clock?: Timers;
  readonly log: { error(facts: object, message: string): void };
  /** The node ended and is not restarted. @param status exit status for the guard */
  over(status: number): void;
}

/**
 * Starts a node of a cluster, and restarts it when it dies. In between, it refuses the ICE checks of the node's
 * clients, which then reconnect to the nodes that have taken over their sessions. A node that cannot start is not
 * restarted: that is up to the guard's own supervisor.
 */
export class NodeGuard {
  readonly #options: NodeGuardOptions;
  readonly #node: SupervisedWorker<ToNode, FromNode>;
  #ports: MediaPorts | null = null;
  /** Settles when the ports are open, or cannot be opened. */
  #refusing: Promise<RefusingPorts | null> = Promise.resolve(null);

  constructor(options: NodeGuardOptions) {
    this.#options = options;
    this.#node = new SupervisedWorker<ToNode, FromNode>({
      name: 'The node',
      launch: options.launch,
      start: 'at once',
      ready: ({ kind }) => kind === 'ready',
      readyWithinMs: READY_WITHIN_MS,
      unreadyIsFinal: true,
      stop: { message: { kind: 'stop' }, withinMs: STOP_WITHIN_MS },
      ...(options.clock !== undefined && { clock: options.clock }),
      message: (message) => this.#told(message),
      ended: (end, after) => this.#ended(end, after),
    });
  }

  /** No further session is taken, and those that are live are handed over. */
  drain(): void {
    this.#node.post({ kind: 'drain' });
  }

  /** `over` follows. */
  stop(): void {
    void this.#node.stop();
  }

  /** The same at once: nothing is handed over. */
  kill(): void {
    this.stop();
    this.#node.kill();
  }

  #told(message: FromNode): void {
    if (message.kind === 'hasPorts') this.#ports = message.ports;
    else if (message.kind === 'wantsPorts') void this.#giveBack().then(() => this.#node.post({ kind: 'portsFree' }));
  }

  #ended(end: WorkerEnd, after: AfterEnd): void {
    const { log, over } = this.#options;
    if (after.next === 'restarts') {
      log.error({ how: end.how }, 'the node died and is started again');
      this.#refusing = this.#refusing.then((open) => open ?? this.#refuse());
      return;
    }
    if (after.next === 'gave up') log.error({ how: end.how }, 'the node has ended and is not started again');
    void this.#giveBack().then(() => over(statusOf(end)));
  }

  async #refuse(): Promise<RefusingPorts | null> {
    if (this.#ports === null) return null;
    try {
      return await this.#options.refuse(this.#ports);
    } catch (error) {
      this.#options.log.error({ err: error }, 'the clients of a node that died cannot be told');
      return null;
    }
  }

  /** Resolves when the node can bind its ports. */
  #giveBack(): Promise<void> {
    const given = this.#refusing.then(async (open) => {
      await open?.close();
      return null;
    });
    this.#refusing = given;
    return given.then(() => {});
  }
}

/** @returns the node's own exit status; 1 when a signal ended it. */
function statusOf({ how }: WorkerEnd): number {
  return Number(/^exit (\d+)$/.exec(how)?.[1] ?? 1);
}
