/** A sentence that begins later than this is heard as an answer to something else. Most sockets are back sooner. */
const LATE_AUDIO_MS = 2_000;
/** Base64 of two minutes at 24 kHz: more does not wait at the service either. */
const MAX_AUDIO_CHARS = 8_000_000;
/** So many pieces of talk streams the service takes at once after an outage. */
const MAX_MESSAGES = 5_000;

interface WaitingSignal {
  readonly actionType: string;
  readonly text: string;
  /** When it was to be sent, ms. */
  readonly at: number;
}

/**
 * What is to be sent while the signaling socket is down, in order and limited. Audio grows too late, and by up to some
 * MB in a minute; what is over a limit is dropped. Offers and candidates are few, and without them nothing comes back.
 */
export class WaitingSignals {
  readonly #now: () => number;
  #waiting: WaitingSignal[] = [];
  /** Neither audio nor offers and candidates. */
  #messages = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  push(actionType: string, text: string): void {
    const signal = { actionType, text, at: this.#now() };
    // An answer to an offer that is no longer the latest would be taken for the answer to the latest.
    if (actionType === 'offer') this.#waiting = this.#waiting.filter((waiting) => !isNegotiation(waiting));
    if (isAudio(signal) ? this.#hasRoomForAudio() : isNegotiation(signal) || this.#messages++ < MAX_MESSAGES)
      this.#waiting.push(signal);
  }

  /** All that is still worth to be sent, oldest first. */
  take(): string[] {
    this.#dropLateAudio();
    this.#messages = 0;
    return this.#waiting.splice(0).map(({ text }) => text);
  }

  #hasRoomForAudio(): boolean {
    this.#dropLateAudio();
    return this.#waiting.reduce((sum, one) => sum + (isAudio(one) ? one.text.length : 0), 0) < MAX_AUDIO_CHARS;
  }

  #dropLateAudio(): void {
    const since = this.#now() - LATE_AUDIO_MS;
    this.#waiting = this.#waiting.filter((signal) => !isAudio(signal) || signal.at > since);
  }
}

function isNegotiation({ actionType }: WaitingSignal): boolean {
  return actionType === 'offer' || actionType === 'icecandidate';
}

function isAudio({ actionType }: WaitingSignal): boolean {
  return actionType === 'agentaudioinput';
}
