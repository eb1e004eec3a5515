import type { Settings } from '../control/index.ts';
import type { Logger } from '../engine/index.ts';
import { openEmbedded } from './embedded.ts';
import type { Guard } from './guard/connect-to-guard.ts';
import type { OpenService } from './service.ts';
import { engineCount } from './settings/engine-count.ts';
import { openSupervisor } from './supervisor.ts';

/**
 * Opens the service, and listens: in this process, or with engines in processes of their own.
 * @param restart closes the service and opens it again: for models that were fetched meanwhile. @param guard of this
 * process. @defaultValue it has none
 * @throws when a part cannot start. What was opened by then stays open: the process ends.
 */
export async function openService(
  settings: Settings,
  log: Logger,
  restart: () => void,
  guard: Guard | null = null,
): Promise<OpenService> {
  const engines = engineCount(settings);
  return engines > 1
    ? openSupervisor(settings, log, { engines, restart })
    : openEmbedded(settings, log, { guard, restart });
}
