import type { LocalModelLibrary, LocalModelResponse } from '../../control/index.ts';
import type { LocalModelNote, Logger } from '../../engine/index.ts';
import { installPackage } from '../../models/packages/install.ts';
import { packageState } from '../../models/packages/installed.ts';
import { packageBytes, type ModelPackage } from '../../models/packages/model-package.ts';
import { LANGUAGE_SETS } from '../../models/packages/language-sets.ts';
import { PUBLISHED_PACKAGES } from '../../models/packages/published.ts';
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
  /** Whether no session is active. */
  readonly isIdle: () => boolean;
  /** Starts the service again; called at most once. */
  readonly restart: () => void;
  readonly log: Logger;
}

type Job = Pick<LocalModelResponse, 'received' | 'problem'> & {
  /** Of the source that answered. */
  readonly bytes?: number;
  readonly state: 'waiting' | 'fetching' | 'unpacking' | 'failed' | 'here';
};

/** Fetches models for this machine, one after the other, and has the service started again when all are here. */
export class ModelLibrary implements LocalModelLibrary {
  readonly #options: ModelLibraryOptions;
  readonly #jobs = new Map<string, Job>();
  readonly #hereAtStart: Promise<ReadonlySet<string>>;
  #last: Promise<void> = Promise.resolve();
  #idleWatch: NodeJS.Timeout | null = null;

  constructor(options: ModelLibraryOptions) {
    this.#options = options;
    this.#hereAtStart = this.#installed();
  }

  async list(): Promise<readonly LocalModelResponse[]> {
    return Promise.all(this.#options.known.map((each) => this.#describe(each)));
  }

  async fetch(id: string): Promise<LocalModelResponse | null> {
    const wanted = this.#options.known.find((each) => each.id === id);
    if (wanted === undefined) return null;
    const now = await this.#describe(wanted);
    if (now.state === 'absent' || now.state === 'damaged' || now.state === 'failed') {
      this.#jobs.set(id, { state: 'waiting', received: null, problem: null });
      this.#last = this.#last.then(() => this.#install(wanted));
    }
    return this.#describe(wanted);
  }

  restart(): 'none' | 'when idle' {
    return this.#idleWatch === null ? 'none' : 'when idle';
  }

  close(): void {
    clearInterval(this.#idleWatch ?? undefined);
    this.#idleWatch = null;
  }

  async #install(wanted: ModelPackage): Promise<void> {
    const { modelsDir, log } = this.#options;
    const { id } = wanted;
    this.#jobs.set(id, { state: 'fetching', received: 0, problem: null });
    try {
      await installPackage(modelsDir, wanted, {
        onProgress: (received, bytes) => this.#jobs.set(id, { state: 'fetching', received, bytes, problem: null }),
        onUnpack: () => this.#jobs.set(id, { state: 'unpacking', received: null, problem: null }),
      });
      this.#jobs.set(id, { state: 'here', received: null, problem: null });
      log.info({ model: id }, 'a model was fetched');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ model: id, err: error }, 'a model could not be fetched');
      this.#jobs.set(id, {
        state: 'failed',
        received: null,
        problem: `${reason} ${adviceFor(error, wanted, modelsDir)}`,
      });
    }
    const states = [...this.#jobs.values()].map(({ state }) => state);
    if (!states.includes('waiting') && states.includes('here')) this.#restartWhenIdle();
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
