/** What becomes of the sound of one session that may be speech. */
export interface Recognition {
  /** @param pcm 16 kHz mono. */
  write(pcm: Int16Array): void;
  /** Of what was written last. */
  setVoice(voice: 'on' | 'off'): void;
  finish(): void;
  reset(): void;
  /** From the next utterance on. */
  setLanguage(language: string | null): void;
  close(): void;
}
