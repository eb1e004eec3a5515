import type { RunningService } from './service.ts';

/** Whether a service takes sessions; false also when it does not run. */
export async function isReady({ url }: Pick<RunningService, 'url'>): Promise<boolean> {
  return (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false;
}
