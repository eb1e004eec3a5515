/** What a speech service sends. */
export interface SpeechAnswer {
  readonly contentType: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}
