import { AUDIBLE_DB, PersonaAudio } from './persona-audio.ts';

/** When a persona begins to be heard. Decodes only while somebody waits for that: many callers share a machine with the service. */
export class FirstAudio {
  #audio: PersonaAudio | null = null;
  #from = 0;
  #at: number | null = null;

  /** Engine time of the first audio since `waitFrom`; null: none so far. */
  get at(): number | null {
    return this.#at;
  }

  /** @param from engine time */
  waitFrom(from: number): void {
    this.#at = null;
    this.#from = from;
    this.#audio ??= new PersonaAudio();
  }

  packet(payload: Uint8Array, arrivedAt: number): void {
    if (this.#audio === null) return;
    this.#audio.packet(payload, arrivedAt);
    this.#at = this.#audio.since(this.#from).find(({ levelDb }) => levelDb > AUDIBLE_DB)?.at ?? null;
    if (this.#at !== null) this.close();
    else this.#audio.clear();
  }

  close(): void {
    this.#audio?.close();
    this.#audio = null;
  }
}
