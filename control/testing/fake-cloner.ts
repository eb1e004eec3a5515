import { readFile } from 'node:fs/promises';
import type { VoiceCloner, VoiceCloningError } from '../ports.ts';

type Wanted = Omit<Parameters<VoiceCloner['clone']>[0], 'signal' | 'recording'> & {
  readonly filename: string;
  readonly contentType: string;
  readonly recording: string;
};

/** A TTS service that copies voices: remembers what it was asked, and fails as told. */
export class FakeCloner implements VoiceCloner {
  readonly provider: string;
  readonly engineProvider: string;
  readonly family = 'elevenlabs';
  readonly advice = 'A minute of speech.';
  readonly languages: readonly string[] | null;
  readonly made: Wanted[] = [];
  readonly removed: string[] = [];
  failure: VoiceCloningError | null = null;
  /** A copy is made when it resolves. */
  ready: Promise<void> = Promise.resolve();

  constructor(provider = 'ELEVENLABS', languages: readonly string[] | null = null) {
    this.provider = provider;
    this.engineProvider = provider;
    this.languages = languages;
  }

  async clone({ signal: _signal, recording, ...wanted }: Parameters<VoiceCloner['clone']>[0]) {
    await this.ready;
    if (this.failure !== null) throw this.failure;
    const { path, filename, contentType } = recording;
    this.made.push({ ...wanted, filename, contentType, recording: await readFile(path, 'utf8') });
    return { providerVoiceId: `cloned-${this.made.length}`, providerModelId: null };
  }

  async remove(providerVoiceId: string): Promise<void> {
    if (this.failure !== null) throw this.failure;
    this.removed.push(providerVoiceId);
  }
}
