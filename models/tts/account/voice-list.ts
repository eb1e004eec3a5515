import type { Timers } from '../../../runtime/clock.ts';
import type { OfferedVoice } from './voice-account.ts';

/** An account gets a new voice now and then. Nobody waits for it in a conversation. */
const REFRESH_MS = 10 * 60_000;
/** After a failure; then twice as long each time, up to the time above. */
const FIRST_RETRY_MS = 30_000;
/** All pages of a list together. */
const LIST_TIMEOUT_MS = 60_000;

export interface VoiceListOptions {
  list(signal: AbortSignal): Promise<readonly OfferedVoice[]>;
  readonly timers: Timers;
  /** What was known at the end of the last run; null: nothing. */
  readonly kept: readonly OfferedVoice[] | null;
  /** A list came. */
  changed(voices: readonly OfferedVoice[]): void;
  failed(error: unknown): void;
}

/** The voices of an account as they were last told. While the service is down, the last known ones stay. */
export class VoiceList {
  readonly #options: VoiceListOptions;
  #voices: readonly OfferedVoice[] | null;
  #failures = 0;
  #timer: unknown = null;
  #asking: AbortController | null = null;
  #closed = false;

  constructor(options: VoiceListOptions) {
    this.#options = options;
    this.#voices = options.kept;
  }

  /** Null: the service has never answered. */
  get voices(): readonly OfferedVoice[] | null {
    return this.#voices;
  }

  /** Asks now, and again from time to time until `close`. Never rejects. */
  async refresh(): Promise<void> {
    if (this.#closed || this.#asking !== null) return;
    const { timers, list, changed, failed } = this.#options;
    const asking = new AbortController();
    this.#asking = asking;
    timers.clearTimeout(this.#timer);
    const deadline = timers.setTimeout(() => asking.abort(), LIST_TIMEOUT_MS);
    try {
      const voices = await list(asking.signal);
      if (this.#closed) return;
      this.#voices = voices;
      this.#failures = 0;
      changed(voices);
    } catch (error) {
      if (this.#closed) return;
      this.#failures += 1;
      failed(error);
    } finally {
      timers.clearTimeout(deadline);
      this.#asking = null;
      if (!this.#closed) this.#timer = timers.setTimeout(() => void this.refresh(), this.#pauseMs());
    }
  }

  close(): void {
    this.#closed = true;
    this.#options.timers.clearTimeout(this.#timer);
    this.#asking?.abort();
  }

  #pauseMs(): number {
    if (this.#failures === 0) return REFRESH_MS;
    return Math.min(REFRESH_MS, FIRST_RETRY_MS * 2 ** (this.#failures - 1));
  }
}
