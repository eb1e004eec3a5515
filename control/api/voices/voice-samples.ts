import { createHash } from 'node:crypto';
import PQueue from 'p-queue';
import type { Logger } from '../../../runtime/log.ts';
import { VERSION } from '../../../runtime/version.ts';
import type { Catalogue, ProviderSample } from '../../catalogue/catalogue.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { VoiceSpeaker } from '../../ports.ts';
import { tuningOf } from '../../catalogue/references.ts';
import type { DiskBlobs } from '../../store/blobs.ts';
import type { Store } from '../../store/open.ts';
import { isStorageFull } from '../../store/storage-errors.ts';
import { SampleFiles, type SampleFile } from './sample-files.ts';
import { sampleSentence } from './sample-sentences.ts';
import { voiceErrors } from './voice-errors.ts';

/** How long one sample may take: a service that is slow to answer, or a neural voice on a busy machine. */
const MAKE_TIMEOUT_MS = 30_000;
/** At the same time. Each is a request to a service or a sentence for a process that live sessions use, too. */
const AT_ONCE = 2;
/** How many samples may wait. Further requests must be repeated later. */
const MAX_QUEUE = 32;
const QUEUE_RETRY_SECONDS = 5;
/** A voice that failed is not asked again for this long: its sample would fail again, and may cost money. */
const REST_AFTER_FAILURE_MS = 60_000;
/** Failures that are remembered. */
const MAX_FAILURES = 1_000;
/** A sample is 100 to 500 kB. */
const MAX_BYTES = 200 * 1024 * 1024;

export interface VoiceSamplesOptions {
  readonly store: Store;
  readonly catalogue: Catalogue;
  /** Of this machine: what is missing is made again. */
  readonly blobs: DiskBlobs;
  readonly speaker: VoiceSpeaker;
  readonly log: Pick<Logger, 'warn'>;
  /** Wall clock in ms. */
  readonly now: () => number;
}

interface Subject {
  readonly engineProvider: string;
  readonly providerVoiceId: string;
  /** ISO 639-1 of the language that it speaks best. */
  readonly language: string | null;
  /** Of its service; null: the one that the operator has set. */
  readonly model: string | null;
  /** The provider's own. */
  readonly sample: ProviderSample | null;
}

/**
 * A short recording of every voice: the provider's own if it has one, else a sentence that the voice itself says. Each
 * is fetched or made when it is first asked for, and kept on disk.
 */
export class VoiceSamples {
  readonly #options: VoiceSamplesOptions;
  readonly #files: SampleFiles;
  readonly #queue = new PQueue({ concurrency: AT_ONCE });
  readonly #making = new Map<string, Promise<SampleFile>>();
  readonly #failedAt = new Map<string, number>();

  constructor(options: VoiceSamplesOptions) {
    this.#options = options;
    this.#files = new SampleFiles(options.blobs, MAX_BYTES);
  }

  /** @returns null when there is no such voice. @throws HttpError 429 when too many wait, 502 when the voice fails. */
  async fileOf(voiceId: string): Promise<SampleFile | null> {
    const subject = await this.#subject(voiceId);
    if (subject === null) return null;
    const name = nameOf(voiceId, subject);
    const kept = await this.#files.find(name);
    if (kept !== null) return kept;
    const made = await (this.#making.get(name) ?? this.#enqueue(name, subject));
    // If the voice was deleted meanwhile, nothing is kept.
    if ((await this.#subject(voiceId)) !== null) return made;
    await this.#files.remove(voiceId);
    return null;
  }

  async remove(voiceId: string): Promise<void> {
    await this.#files.remove(voiceId);
  }

  #enqueue(name: string, subject: Subject): Promise<SampleFile> {
    const failedAt = this.#failedAt.get(name);
    if (failedAt !== undefined && this.#options.now() - failedAt < REST_AFTER_FAILURE_MS) throw failure();
    if (this.#queue.size >= MAX_QUEUE)
      throw new HttpError(voiceErrors.sampleQueueFull, { headers: { 'retry-after': String(QUEUE_RETRY_SECONDS) } });
    const made = this.#queue.add(() => this.#make(name, subject));
    this.#making.set(name, made);
    const forget = (): void => void this.#making.delete(name);
    made.then(forget, forget);
    return made;
  }

  async #make(name: string, subject: Subject): Promise<SampleFile> {
    const { log, now } = this.#options;
    try {
      const own = await this.#ownSample(name, subject);
      return own ?? (await this.#files.keep(name, await this.#speak(subject)));
    } catch (error) {
      // Not the fault of the voice, and told in words of its own.
      if (isStorageFull(error)) throw error;
      if (this.#failedAt.size >= MAX_FAILURES) this.#failedAt.clear();
      this.#failedAt.set(name, now());
      log.warn({ err: error, provider: subject.engineProvider }, 'the sample of a voice could not be made');
      throw failure();
    }
  }

  /** @returns null when the provider has none, or does not give it: then the voice speaks. */
  async #ownSample(name: string, { sample, engineProvider }: Subject): Promise<SampleFile | null> {
    if (sample === null) return null;
    try {
      return await this.#files.keep(name, await sample.read(AbortSignal.timeout(MAKE_TIMEOUT_MS)));
    } catch (error) {
      this.#options.log.warn({ err: error, provider: engineProvider }, 'the sample of a provider could not be fetched');
      return null;
    }
  }

  #speak({ engineProvider, providerVoiceId, language, model }: Subject): Promise<Uint8Array> {
    return this.#options.speaker.speak({
      provider: engineProvider,
      providerVoiceId,
      ...sampleSentence(language),
      tuning: tuningOf(model),
      signal: AbortSignal.timeout(MAKE_TIMEOUT_MS),
    });
  }

  async #subject(voiceId: string): Promise<Subject | null> {
    const { store, catalogue } = this.#options;
    const stock = catalogue.voices.find(({ id }) => id === voiceId);
    if (stock !== undefined) {
      const { engineProvider, providerVoiceId, providerModelId: model, ownLanguages, sample } = stock;
      const language = ownLanguages === 'any' ? null : (ownLanguages[0] ?? null);
      return { engineProvider, providerVoiceId, language, model, sample };
    }
    const row = await store.db
      .selectFrom('voices')
      .select(['engine_provider', 'provider_voice_id', 'provider_model_id', 'language'])
      .where('id', '=', voiceId)
      .executeTakeFirst();
    if (row === undefined) return null;
    return {
      engineProvider: row.engine_provider,
      providerVoiceId: row.provider_voice_id,
      language: row.language,
      model: row.provider_model_id,
      sample: null,
    };
  }
}

/** What is heard depends on all of this. A new version of the software makes new samples. */
function nameOf(voiceId: string, { providerVoiceId, language, sample }: Subject): string {
  const source = sample === null ? [VERSION, providerVoiceId, language] : [sample.key];
  return `${voiceId}-${createHash('sha256').update(JSON.stringify(source)).digest('hex').slice(0, 12)}`;
}

const failure = (): HttpError => new HttpError(voiceErrors.sampleFailed);
