import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type RunningService } from '../../e2e/support/service.ts';
import { AVATAR_CACHE } from './avatar-cache.ts';

/** On a machine that is busy with something else a start takes minutes. */
const READY_WITHIN_MS = 5 * 60_000;
/** As `scripts/environment.sh` has it. */
const NODE_OPTIONS = '--max-semi-space-size=8';

/**
 * The whole service, as users start it, with faces from earlier runs. It is the service of the folder in which the
 * bench was started. So the bench of one version can measure another one. @param dataDir an empty folder that the
 * caller removes. @defaultValue a new one that is removed with the service
 */
export async function startServiceProcess(env: Record<string, string>, dataDir?: string): Promise<RunningService> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'parley-bench-service-')));
  mkdirSync(AVATAR_CACHE, { recursive: true });
  await symlink(AVATAR_CACHE, join(folder, 'avatars'));
  const service = await startService({
    dataDir: folder,
    env: { NODE_OPTIONS, ...env },
    readyWithinMs: READY_WITHIN_MS,
  });
  return {
    ...service,
    async stop() {
      await service.stop();
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
