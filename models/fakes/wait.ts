import { ProviderError } from '../ports.ts';

/** Resolves after a declared delay; 0 does not wait at all. @throws ProviderError `aborted` */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw aborted();
  if (ms <= 0) return;
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(aborted());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

function aborted(): ProviderError {
  return new ProviderError('fake', 'aborted', 'Stopped.');
}
