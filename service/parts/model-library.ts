import type { LocalModelLibrary, LocalModelResponse } from '../../control/index.ts';
import type { LocalModelNote, Logger } from '../../engine/index.ts';
import { installPackage } from '../../models/packages/install.ts';
import { packageState } from '../../models/packages/installed.ts';
import { hasCoresFor, packageBytes, type ModelPackage } from '../../models/packages/model-package.ts';
import { LANGUAGE_SETS } from '../../models/packages/language-sets.ts';
import { PUBLISHED_PACKAGES } from '../../models/packages/published.ts';
import { processCores } from '../../runtime/process-share.ts';
import { adviceFor } from './model-advice.ts';
import { modelLine } from '../process/model-line.ts';

/** How often the service is asked whether it is idle. */
const LOOK_EVERY_MS = 1_000;

const SUGGESTED: ReadonlySet<string> = new Set(Object.values(LANGUAGE_SETS).flat());

export interface ModelLibraryOptions {
  readonly modelsDir: string;
  readonly known: readonly ModelPackage[];
  /** What became of those that were here at the start. */
  readonly notes: readonly LocalModelNote[];
  /** Id of the noise filter in use. */
  readonly noiseFilter: string;
  /** Of the machine. @defaultValue as it is */
  readonly cores?: number;
  /** Whether no session is active. */
  readonly isIdle: () => boolean;
  /** Tries the models that came, so that the next start knows how fast they are here. */
  readonly measure: () => Promise<void>;
  /** Starts the service again; called at most once. */
  readonly restart: () => void;
  readonly log: Logger;
}

type Job = Pick<LocalModelResponse, 'received' | 'problem'> & {
  /** Of the source that answered. */
  readonly bytes?: number;
  readonly state: 'waiting' | 'fetching' | 'unpacking' | 'failed' | 'here';
};

const WAITING: Job = { state: 'waiting', received: null, problem: null };

/** Hears how a fetch of several models goes. */
export interface FetchReport {
  begins(wanted: readonly ModelPackage[]): void;
  progress(id: string, received: number, total: number): void;
  failed(wanted: ModelPackage, error: unknown): void;
  done(wanted: readonly ModelPackage[]): void;
}

function isMissing({ state }: Pick<LocalModelResponse, 'state'>): boolean {
  return state === 'absent' || state === 'damaged' || state === 'failed';
}

/** Fetches models for this machine, one after the other, and has the service started again when all are here. */
export class ModelLibrary implements LocalModelLibrary {
  readonly #options: ModelLibraryOptions;
  readonly #jobs = new Map<string, Job>();
  readonly #hereAtStart: Promise<ReadonlySet<string>>;
  #last: Promise<void> = Promise.resolve();
  #idleWatch: NodeJS.Timeout | null = null;
  /** Ends a fetch when the service ends. */
  readonly #closed = new AbortController();

  constructor(options: ModelLibraryOptions) {
    this.#options = options;
    this.#hereAtStart = this.#installed();
  }

  async list(): Promise<readonly LocalModelResponse[]> {
    const all = await Promise.all(this.#options.known.map((each) => this.#describe(each)));
    return all.filter((each, index) => each.state !== 'absent' || this.#isOffered(this.#options.known[index]));
  }

  async fetch(id: string): Promise<LocalModelResponse | null> {
    const wanted = this.#options.known.find((each) => each.id === id);
    if (wanted === undefined) return null;
    const now = await this.#describe(wanted);
    if (now.state === 'absent' && !this.#isOffered(wanted)) return null;
    if (isMissing(now)) this.#begin(wanted);
    return this.#describe(wanted);
  }

  /**
   * Fetches those of them that are not here, one after the other, and stops at the first that cannot be had.
   * @param tell lines for people: how it goes, and why it ended. @returns when all of it is over
   */
  async fetchAll(ids: readonly string[], tell: FetchReport): Promise<void> {
    const described = await Promise.all(this.#options.known.map((each) => this.#describe(each)));
    const missing = described.filter((each) => ids.includes(each.id) && isMissing(each)).map(({ id }) => id);
    const wanted = ids.flatMap((id) => this.#options.known.filter((each) => each.id === id && missing.includes(id)));
    if (wanted.length === 0) return;
    for (const { id } of wanted) this.#jobs.set(id, WAITING);
    tell.begins(wanted);
    for (const each of wanted) {
      const problem = await this.#install(each, tell.progress);
      if (problem === null) continue;
      for (const { id } of wanted) if (this.#jobs.get(id)?.state === 'waiting') this.#jobs.delete(id);
      if (!this.#closed.signal.aborted) tell.failed(each, problem);
      break;
    }
    await this.#afterInstall();
    if (wanted.every(({ id }) => this.#jobs.get(id)?.state === 'here')) tell.done(wanted);
  }

  restart(): 'none' | 'when idle' {
    return this.#idleWatch === null ? 'none' : 'when idle';
  }

  close(): void {
    this.#closed.abort();
    clearInterval(this.#idleWatch ?? undefined);
    this.#idleWatch = null;
  }

  #isOffered(known: ModelPackage | undefined): boolean {
    return known !== undefined && hasCoresFor(known, this.#options.cores ?? processCores());
  }

  #begin(wanted: ModelPackage): void {
    this.#jobs.set(wanted.id, WAITING);
    this.#last = this.#last.then(async () => {
      await this.#install(wanted);
      await this.#afterInstall();
    });
  }

  /** @returns what went wrong; null: it is here. */
  async #install(
    wanted: ModelPackage,
    progress?: (id: string, received: number, total: number) => void,
  ): Promise<unknown> {
    const { modelsDir, log } = this.#options;
    const { id } = wanted;
    this.#jobs.set(id, { state: 'fetching', received: 0, problem: null });
    try {
      await installPackage(modelsDir, wanted, {
        signal: this.#closed.signal,
        onProgress: (received, bytes) => {
          this.#jobs.set(id, { state: 'fetching', received, bytes, problem: null });
          progress?.(id, received, bytes);
        },
        onUnpack: () => this.#jobs.set(id, { state: 'unpacking', received: null, problem: null }),
      });
      this.#jobs.set(id, { state: 'here', received: null, problem: null });
      log.info({ model: id }, 'a model was fetched');
      return null;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!this.#closed.signal.aborted) log.warn({ model: id, err: error }, 'a model could not be fetched');
      this.#jobs.set(id, {
        state: 'failed',
        received: null,
        problem: `${reason} ${adviceFor(error, wanted, modelsDir)}`,
      });
      return error;
    }
  }

  /** What came is tried, and the service starts again with it. */
  async #afterInstall(): Promise<void> {
    const states = [...this.#jobs.values()].map(({ state }) => state);
    if (states.includes('waiting') || !states.includes('here') || this.#closed.signal.aborted) return;
    await this.#options.measure().catch((error: unknown) => {
      // The next start measures, too.
      this.#options.log.warn({ err: error }, 'the models that were fetched could not be measured');
    });
    if (!this.#closed.signal.aborted) this.#restartWhenIdle();
  }

  #restartWhenIdle(): void {
    this.#idleWatch ??= setInterval(() => {
      const isBusy = [...this.#jobs.values()].some(({ state }) => /waiting|fetching|unpacking/.test(state));
      if (isBusy || !this.#options.isIdle()) return;
      this.close();
      this.#options.restart();
    }, LOOK_EVERY_MS).unref();
  }

  async #describe(known: ModelPackage): Promise<LocalModelResponse> {
    const { id, kind, title, languages, license, notice = null, home } = known;
    const bytes = packageBytes(known);
    // An operator's own model is on the list because it is to be used.
    const suggested = SUGGESTED.has(id) || !PUBLISHED_PACKAGES.some((published) => published.id === id);
    const now = this.#jobs.get(id) ?? (await this.#found(known));
    return { id, kind, title, languages, bytes, license, notice, home, suggested, ...now };
  }

  async #found(known: ModelPackage): Promise<Pick<LocalModelResponse, 'state' | 'received' | 'problem'>> {
    const { modelsDir, notes, noiseFilter } = this.#options;
    const nothing = { received: null, problem: null };
    const state = await packageState(modelsDir, known);
    if (state !== 'installed') return { ...nothing, state };
    if (!(await this.#hereAtStart).has(known.id)) return { ...nothing, state: 'here' };
    const note = notes.find(({ id }) => id === known.id);
    if (note !== undefined && note.state !== 'used') return { ...nothing, state: 'not used', problem: modelLine(note) };
    if (known.kind === 'noise' && noiseFilter !== known.id)
      return { ...nothing, state: 'not used', problem: `PARLEY_NOISE_FILTER=${known.id} switches it on.` };
    return { ...nothing, state: 'used' };
  }

  async #installed(): Promise<ReadonlySet<string>> {
    const { modelsDir, known } = this.#options;
    const states = await Promise.all(known.map((each) => packageState(modelsDir, each)));
    return new Set(known.filter((_, index) => states[index] === 'installed').map(({ id }) => id));
  }
}
