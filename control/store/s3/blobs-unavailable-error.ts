/** The bucket does not answer, or refuses, so a file that is only there cannot be read now. */
export class BlobsUnavailableError extends Error {
  override readonly name = 'BlobsUnavailableError';
  constructor(options: { cause: unknown }) {
    super('Stored files cannot be read now', options);
  }
}
