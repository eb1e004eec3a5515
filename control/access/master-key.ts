import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../runtime/start-error.ts';

/** Characters. A generated key has 43. */
const MIN_KEY_LENGTH = 32;

/** Keys for one purpose, newest first. The first one signs, all of them verify. */
export interface DerivedKey {
  readonly id: string;
  readonly bytes: Buffer;
}

export interface MasterKeys {
  /** @param purpose separates keys: none can be computed from another. */
  derive(
    purpose: 'session-tokens' | 'signed-urls' | 'secrets' | 'internal-requests' | 'journals' | 'ice-credentials',
  ): readonly DerivedKey[];
}

/** @param secrets newest first; older ones still decrypt what they encrypted. */
export function masterKeys(secrets: readonly string[]): MasterKeys {
  return {
    derive: (purpose) =>
      secrets.map((secret) => {
        const bytes = Buffer.from(hkdfSync('sha256', secret, 'parley', purpose, 32));
        return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
      }),
  };
}

/** The key that was made at the first start, kept readable for the owner only. @throws StartError */
export async function storedMasterKey(dataDir: string): Promise<string> {
  const file = join(dataDir, 'master.key');
  const secret = await readOrMake(file).catch((error: unknown) => {
    throw new StartError(
      `The master key cannot be read from ${file} (${error instanceof Error ? error.message : String(error)}).`,
      { cause: error },
    );
  });
  if (secret.length < MIN_KEY_LENGTH)
    throw new StartError(
      `${file} does not hold a master key. Restore it from a backup; or delete it, and lose the secrets that it closed.`,
    );
  return secret;
}

async function readOrMake(file: string): Promise<string> {
  try {
    await writeFile(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
