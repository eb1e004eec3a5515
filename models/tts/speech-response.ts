/** The HTTP response of a speech service. */
export interface SpeechResponse {
  readonly contentType: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}
