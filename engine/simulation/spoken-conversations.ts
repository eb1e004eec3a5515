import { setTimeout as pause } from 'node:timers/promises';
import type { SpeechSynthesizer } from '../../models/ports.ts';
import { engineNow } from '../../runtime/clock.ts';
import type { HeldConversation } from './conversation-record.ts';
import {
  holdSpokenConversation,
  type SpokenConversationOptions,
  type SpokenConversationParts,
} from './spoken-conversation.ts';
import type { UserVoice } from './user-voice.ts';

export interface SpokenConversationRequest extends SpokenConversationOptions {
  /** Who speaks the user's lines. `provider`: key of the synthesizer in the engine's registry. */
  readonly voice: Omit<UserVoice, 'synthesizer'> & { readonly provider: string };
}

/** Calls come first: a test waits so long for a place. */
const PLACE_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 1_000;

export type SpokenConversationsParts = Omit<SpokenConversationParts, 'voice'> & {
  readonly synthesizers: Readonly<Record<string, SpeechSynthesizer>>;
  /** Whether one more call would be taken. */
  readonly hasPlace: () => boolean;
};

/** Holds conversations of tests in sound, one at a time and only where one more call would be taken. */
export class SpokenConversations {
  readonly #parts: SpokenConversationsParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: SpokenConversationsParts) {
    this.#parts = parts;
  }

  /** @throws Error with a message fit for the customer, or the signal's reason. */
  hold(request: SpokenConversationRequest): Promise<HeldConversation> {
    const held = this.#last.then(() => this.#hold(request));
    this.#last = held.catch(() => {});
    return held;
  }

  async #hold(request: SpokenConversationRequest): Promise<HeldConversation> {
    const { provider, providerVoiceId, language } = request.voice;
    const { synthesizers } = this.#parts;
    const synthesizer = Object.hasOwn(synthesizers, provider) ? synthesizers[provider] : undefined;
    if (synthesizer === undefined) throw new Error('The TTS provider of the voice of the user is not configured.');
    await this.#untilPlace(request.signal);
    return holdSpokenConversation(request, { ...this.#parts, voice: { synthesizer, providerVoiceId, language } });
  }

  async #untilPlace(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const since = engineNow();
    while (!this.#parts.hasPlace()) {
      if (engineNow() - since > PLACE_WITHIN_MS)
        throw new Error('The machine is busy with calls: no place was free for a test in sound within two minutes.');
      await pause(LOOK_EVERY_MS, undefined, { signal });
    }
  }
}
