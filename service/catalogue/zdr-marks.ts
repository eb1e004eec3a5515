import type { Settings } from '../../control/index.ts';

/** Whether the operator says that a service keeps nothing. */
export function isMarked(settings: Settings, service: string): boolean {
  return settings.PARLEY_ZDR_SERVICES.includes(service);
}
