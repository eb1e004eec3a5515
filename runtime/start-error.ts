/**
 * The service cannot start. `message` is one or two sentences for whoever started it: what is wrong, and what to do
 * about it.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}
