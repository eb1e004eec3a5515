/** The archive holds what a model does not, or too much of it. Nothing of it was written outside of the target. */
export class ArchiveError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ArchiveError';
  }
}
