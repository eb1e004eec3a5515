import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What `scripts/testing/python-tools.sh` makes of the requirements in `e2e/python`. `pipecat`: only before the nightly
 * tests.
 */
type Environment = 'python-tools' | 'pipecat';

/** @returns the path of a program of these packages, or null where they are not installed. */
export function pythonTool(
  name: 'python' | 'schemathesis' | 'traefik',
  environment: Environment = 'python-tools',
): string | null {
  const folder = new URL(`../../.cache/${environment}/`, import.meta.url).pathname;
  const path = join(folder, 'bin', name);
  return existsSync(path) ? path : null;
}
