import { ClientError } from './errors.ts';
import type { PersonaConfigUpdate } from './client-messages.ts';
import type { PersonaConfigUpdateAppliedEvent } from './server-messages.ts';

/** How the warning begins by which the service refuses a change. */
const REJECTED = 'Persona config update rejected: ';

interface Pending {
  readonly update: PersonaConfigUpdate;
  readonly resolve: (applied: PersonaConfigUpdateAppliedEvent) => void;
  readonly reject: (error: ClientError) => void;
}

/**
 * Changes of the settings, one after the other: an acknowledgement names no request and comes on another way than a
 * refusal, so only one request may be open.
 */
export class ConfigUpdates {
  readonly #send: (update: PersonaConfigUpdate) => void;
  /** The first one is with the service. */
  #pending: Pending[] = [];

  constructor(send: (update: PersonaConfigUpdate) => void) {
    this.#send = send;
  }

  /** @returns what has changed. @throws ClientError `update_rejected`, `not_streaming` */
  request(update: PersonaConfigUpdate): Promise<PersonaConfigUpdateAppliedEvent> {
    // The service answers nothing to an empty change.
    if (JSON.stringify(update) === '{}') return Promise.resolve({ changedFields: {} });
    return new Promise((resolve, reject) => {
      this.#pending.push({ update, resolve, reject });
      if (this.#pending.length === 1) this.#sendFirst();
    });
  }

  applied(event: PersonaConfigUpdateAppliedEvent): void {
    this.#take()?.resolve(event);
  }

  warned(text: string): void {
    if (text.startsWith(REJECTED))
      this.#take()?.reject(new ClientError('update_rejected', text.slice(REJECTED.length)));
  }

  closed(): void {
    for (const { reject } of this.#pending.splice(0))
      reject(new ClientError('not_streaming', 'The session ended before the change was acknowledged.'));
  }

  #take(): Pending | undefined {
    const first = this.#pending.shift();
    this.#sendFirst();
    return first;
  }

  #sendFirst(): void {
    const first = this.#pending[0];
    if (first === undefined) return;
    try {
      this.#send(first.update);
    } catch (error) {
      // It is too long. Nothing answers it, so the next one must not wait for that.
      first.reject(error as ClientError);
      this.#take();
    }
  }
}
