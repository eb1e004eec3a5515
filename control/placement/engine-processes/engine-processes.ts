import type {
  AvatarVideoRequest,
  Logger,
  PublicRouter,
  RenderedVideo,
  RestorableSession,
} from '../../../engine/index.ts';
import type { Timers } from '../../../runtime/clock.ts';
import type { ProcessShare } from '../../../runtime/process-share.ts';
import type { RestartRule } from '../../../runtime/restart-budget.ts';
import type { EngineRegistryInMemory } from '../engine-registry-in-memory.ts';
import type { SlotLedger } from '../slot-ledger.ts';
import { EngineProcess } from './engine-process.ts';
import { JournalsInMemory } from './journals-in-memory.ts';
import type { LaunchEngine } from './launch-engine.ts';
import type { EngineState } from './messages.ts';
import { MovedSessions } from './moved-sessions.ts';
import { renderElsewhere } from './remote-videos.ts';

const ANSWER_MS = 5_000;

export interface EngineProcessesOptions {
  readonly count: number;
  /** Name of an engine process. */
  readonly engineIdOf: (number: number) => string;
  /** Starts one, which has this part of the machine. */
  readonly launch: (share: ProcessShare) => LaunchEngine;
  readonly router: PublicRouter;
  readonly registry: EngineRegistryInMemory;
  readonly ledger: SlotLedger;
  readonly timers: Timers;
  readonly log: Logger;
  /** Sessions of a process that ended that do not go on anywhere. */
  readonly lost: (engineId: string, sessionIds: readonly string[]) => void;
  /** @defaultValue that of all workers */
  readonly budget?: () => RestartRule;
}

/** What is known of one engine process. */
export interface EngineOnMachine {
  readonly number: number;
  readonly engineId: string;
  /** Null: none runs now. */
  readonly pid: number | null;
  /** Null: it is starting. */
  readonly state: EngineState | null;
}

/** An engine process could not start. @param problem what the operator has to solve; null: the log says more. */
export class EngineStartError extends Error {
  override readonly name = 'EngineStartError';
  readonly problem: string | null;

  constructor(problem: string | null, options?: ErrorOptions) {
    super(problem ?? 'An engine process could not start.', options);
    this.problem = problem;
  }
}

/** The engine processes of this machine: started, started again when they die, and their sessions moved. */
export class EngineProcesses {
  readonly #options: EngineProcessesOptions;
  readonly #engines: EngineProcess[] = [];
  readonly #journals = new JournalsInMemory();
  readonly #moved: MovedSessions;
  #stopping: Promise<void> | null = null;

  constructor(options: EngineProcessesOptions) {
    this.#options = options;
    const { count, registry, timers, log } = options;
    this.#moved = new MovedSessions({
      registry,
      siblings: Math.max(1, count - 1),
      takeOver: (engineId, past) => {
        const engine = this.#engines.find((one) => one.engineId === engineId);
        return engine === undefined ? Promise.reject(new Error('there is no such engine')) : engine.takeOver(past);
      },
      timers,
      log,
    });
  }

  /**
   * Resolves when all can take sessions. The first one starts alone: it measures the machine and prepares files, which the
   * others then find. @throws EngineStartError
   */
  async start(): Promise<void> {
    const { count } = this.#options;
    await this.#started(this.#open(1));
    const others = Array.from({ length: count - 1 }, (_, index) => this.#open(index + 2));
    await Promise.all(others.map((engine) => this.#started(engine)));
  }

  list(): EngineOnMachine[] {
    return this.#engines.map(({ number, engineId, pid, state }) => ({ number, engineId, pid, state }));
  }

  get liveSessions(): number {
    return this.#engines.reduce((sum, { state }) => sum + (state?.status.activeSessions ?? 0), 0);
  }

  /** What each process measures. Those that do not answer are left out. */
  async metrics(): Promise<{ readonly number: number; readonly text: string }[]> {
    const answers = await Promise.all(
      this.#engines.map((engine) =>
        engine.call('metrics', ANSWER_MS).then(
          (text) => ({ number: engine.number, text }),
          () => null,
        ),
      ),
    );
    return answers.filter((answer) => answer !== null);
  }

  /** Makes a video in the process that has the fewest sessions. @throws as `AvatarVideos.render`. */
  async renderVideo(request: AvatarVideoRequest): Promise<RenderedVideo> {
    const [idlest] = this.#engines
      .filter(({ state }) => state !== null)
      .toSorted((a, b) => a.state!.status.activeSessions - b.state!.status.activeSessions);
    if (idlest === undefined) throw new Error('No engine process is running.');
    return renderElsewhere(idlest, request, this.#options.timers);
  }

  /** No further session is taken. */
  async drain(): Promise<void> {
    await Promise.all(this.#engines.map((engine) => engine.call('drain', ANSWER_MS).catch(() => {})));
  }

  /** Ends their sessions, and them. */
  stop(): Promise<void> {
    this.#stopping ??= Promise.all(this.#engines.map((engine) => engine.stop())).then(() => {});
    return this.#stopping;
  }

  #open(number: number): EngineProcess {
    const { count, engineIdOf, launch, router, registry, ledger, timers, log, budget } = this.#options;
    const engineId = engineIdOf(number);
    const engine = new EngineProcess({
      number,
      engineId,
      launch: launch({ number, processes: count }),
      beginning: { number, engines: count, udpPort: router.udpPort, tcpPort: router.tcpPort },
      router,
      registry,
      ledger,
      journals: this.#journals,
      timers,
      log,
      budget: budget?.(),
      died: (had, pasts) => void this.#move(engineId, had, pasts),
      ready: () => log.info({ engineId }, 'an engine process is ready'),
    });
    this.#engines.push(engine);
    return engine;
  }

  async #move(engineId: string, had: readonly string[], pasts: readonly RestorableSession[]): Promise<void> {
    if (this.#stopping !== null) return;
    const { log, lost } = this.#options;
    const known = new Set(pasts.map(({ sessionId }) => sessionId));
    // Nobody waits for those that nothing is known of.
    const gone = had.filter((id) => !known.has(id));
    if (gone.length > 0) lost(engineId, gone);
    const failed = await this.#moved.move(pasts);
    if (failed.length > 0) lost(engineId, failed);
    const moved = pasts.length - failed.length;
    if (pasts.length > 0) log.info({ engineId, moved, lost: failed.length }, 'sessions go on in other processes');
  }

  async #started(engine: EngineProcess): Promise<void> {
    try {
      await engine.ready();
    } catch (error) {
      const { problem } = engine;
      await this.stop();
      throw new EngineStartError(problem, { cause: error });
    }
  }
}
