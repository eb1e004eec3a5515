import { randomUUID } from 'node:crypto';
import PQueue from 'p-queue';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { detail, HttpError, invalid } from '../../errors/http-error.ts';
import { type VoiceCloner, VoiceCloningError, type ControlPorts } from '../../ports.ts';
import type { VoiceRow } from '../../store/tables.ts';
import { voiceErrors } from './voice-errors.ts';
import type { Store } from '../../store/open.ts';
import type { Logger } from '../../../runtime/log.ts';

/** What is taken of the service here. */
interface CloneVoiceParts {
  readonly store: Store;
  readonly ports: Pick<ControlPorts, 'voiceCloners'>;
  readonly log: Logger;
  readonly now: () => number;
}

export interface Recording {
  /** On disk. */
  readonly path: string;
  readonly filename: string;
  readonly contentType: string;
}

export interface WantedVoice {
  readonly name: string;
  readonly description?: string | undefined;
  readonly language: string;
  readonly enhance: boolean;
  /** In the spelling of the API. Undefined: the operator's preferred one. */
  readonly provider?: string | undefined;
}

/** How long a provider may take to copy a voice. */
const CLONE_TIMEOUT_MS = 60_000;
const REMOVE_TIMEOUT_MS = 15_000;
/** Each sends a recording of up to 50 MB. */
const AT_ONCE = 2;
/** How many may wait. Further requests must be repeated later. */
const MAX_QUEUE = 8;
const RETRY_AFTER_SECONDS = 30;

const NOT_AVAILABLE =
  'Voice cloning is not available: no speech service of this deployment can copy a voice. Its operator can configure one that does, for example ElevenLabs or Cartesia.';

/** Copies of voices at the TTS services of the deployment. */
export class VoiceCloning {
  readonly #control: CloneVoiceParts;
  readonly #queue = new PQueue({ concurrency: AT_ONCE });

  constructor(control: CloneVoiceParts) {
    this.#control = control;
  }

  /** Null if voices can be copied, else a sentence that says why not. */
  get problem(): string | null {
    return this.#control.ports.voiceCloners.length === 0 ? NOT_AVAILABLE : null;
  }

  /**
   * Call it before a recording is read: nobody should send one for nothing.
   * @throws HttpError 403 when no voice can be copied, 429 while too many are.
   */
  assertPossible(): void {
    if (this.problem !== null) throw new HttpError('forbidden', { message: this.problem });
    if (this.#queue.size >= MAX_QUEUE)
      throw new HttpError(voiceErrors.cloningQueueFull, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
  }

  /** @throws HttpError also with the reasons of the service. The recording stays the caller's. */
  async clone(organizationId: string, wanted: WantedVoice, recording: Recording): Promise<VoiceRow> {
    this.assertPossible();
    const cloner = this.#clonerFor(wanted);
    return this.#queue.add(async () => {
      const { providerVoiceId, providerModelId } = await cloner
        .clone({
          name: wanted.name,
          description: wanted.description ?? null,
          organizationId,
          language: wanted.language,
          enhance: wanted.enhance,
          recording,
          signal: AbortSignal.timeout(CLONE_TIMEOUT_MS),
        })
        .catch((error: unknown) => this.#refuse(error, cloner));
      const row = this.#rowOf(organizationId, wanted, cloner, providerVoiceId, providerModelId);
      try {
        await this.#control.store.db.insertInto('voices').values(row).execute();
      } catch (error) {
        // Nobody knows the copy, so nobody could delete it.
        await cloner.remove(providerVoiceId, AbortSignal.timeout(REMOVE_TIMEOUT_MS)).catch((removing: unknown) => {
          this.#control.log.warn(
            { err: removing, provider: cloner.provider },
            'a copy of a voice could not be deleted',
          );
        });
        throw error;
      }
      return row;
    });
  }

  /**
   * Deletes the copy at its service, and then its row: a row that is gone can no longer be deleted there. The copy at a
   * service that is not configured any more stays, because nothing can reach it.
   * @throws HttpError when the service did not delete it.
   */
  async remove(row: VoiceRow): Promise<void> {
    const cloner = this.#control.ports.voiceCloners.find(
      ({ engineProvider }) => engineProvider === row.engine_provider,
    );
    if (cloner !== undefined)
      await cloner
        .remove(row.provider_voice_id, AbortSignal.timeout(REMOVE_TIMEOUT_MS))
        .catch((error: unknown) => this.#refuse(error, cloner));
    await this.#control.store.db.deleteFrom('voices').where('id', '=', row.id).execute();
  }

  #clonerFor({ provider, language }: WantedVoice): VoiceCloner {
    const { voiceCloners } = this.#control.ports;
    const cloner = provider === undefined ? voiceCloners[0] : voiceCloners.find((one) => one.provider === provider);
    if (cloner === undefined)
      throw invalid([detail('provider', `must be one of ${voiceCloners.map((one) => one.provider).join(', ')}`)]);
    if (cloner.languages !== null && !cloner.languages.includes(language))
      throw invalid([detail('language', `must be one of ${cloner.languages.join(', ')} for ${cloner.provider}`)]);
    return cloner;
  }

  #refuse(error: unknown, cloner: VoiceCloner): never {
    this.#control.log.warn({ err: error, provider: cloner.provider }, 'a TTS service did not copy or delete a voice');
    if (!(error instanceof VoiceCloningError)) throw new HttpError(voiceErrors.cloningFailed);
    const { problem, message } = error;
    switch (problem) {
      case 'request':
        throw new HttpError(voiceErrors.recordingRefused, { message });
      case 'plan':
        throw new HttpError('forbidden', { message });
      case 'busy':
        throw new HttpError(voiceErrors.cloningQueueFull, {
          message,
          headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
        });
      case 'failed':
        throw new HttpError(voiceErrors.cloningFailed, { message });
    }
  }

  #rowOf(
    organizationId: string,
    wanted: WantedVoice,
    { provider, engineProvider, family }: VoiceCloner,
    providerVoiceId: string,
    providerModelId: string | null,
  ): VoiceRow {
    const at = isoTime(this.#control.now());
    return {
      id: randomUUID(),
      organization_id: organizationId,
      display_name: wanted.name,
      description: wanted.description ?? null,
      provider,
      engine_provider: engineProvider,
      family,
      provider_voice_id: providerVoiceId,
      provider_model_id: providerModelId,
      sample_url: null,
      gender: null,
      country: null,
      language: wanted.language,
      display_tags_json: '[]',
      is_zdr: 0,
      created_at: at,
      updated_at: at,
    };
  }
}
