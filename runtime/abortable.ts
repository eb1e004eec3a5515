/**
 * @returns a promise with the same result, which rejects with the signal's reason as soon as it is aborted. The work
 * itself continues.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(signal.reason as Error);
    if (signal.aborted) aborted();
    signal.addEventListener('abort', aborted, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted));
  });
}
