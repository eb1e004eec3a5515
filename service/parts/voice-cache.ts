import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../../engine/index.ts';
import { MAX_VOICES } from '../../models/tts/account/voice-list-limits.ts';
import type { OfferedVoice } from '../../models/tts/account/voice-account.ts';

/** In the data folder: the voices that TTS services list. */
const FILE = 'voices.json';

const voice = z.object({
  providerVoiceId: z.string(),
  displayName: z.string(),
  gender: z.enum(['male', 'female', 'neutral']).nullable(),
  languages: z.array(z.string()).nullable(),
  country: z.string().nullable(),
  description: z.string().nullable(),
  sampleUrl: z.string().nullable(),
});
const content = z.record(z.string(), z.array(voice).max(MAX_VOICES));

export interface VoiceCache {
  /** @param account whose voices: another key has others. @returns null when nothing is known. */
  of(account: string): readonly OfferedVoice[] | null;
  keep(account: string, voices: readonly OfferedVoice[]): void;
  /** Resolves when what is kept is in the file, or could not be written. */
  close(): Promise<void>;
}

/**
 * Saves the voices of accounts from one start to the next. Personas use them, even if a TTS service is down when Parley
 * starts. A file that cannot be read counts as none.
 * @param accounts which ones are in use. Others are forgotten.
 */
export async function openVoiceCache(
  dataDir: string,
  accounts: readonly string[],
  log: Pick<Logger, 'warn'>,
): Promise<VoiceCache> {
  const path = join(dataDir, FILE);
  const known = new Map<string, readonly OfferedVoice[]>();
  try {
    const read = content.parse(JSON.parse(await readFile(path, 'utf8')));
    for (const [account, voices] of Object.entries(read)) if (accounts.includes(account)) known.set(account, voices);
  } catch {
    // The first start, or a file that somebody changed.
  }
  let writing: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    try {
      await writeFile(`${path}.new`, JSON.stringify(Object.fromEntries(known)));
      await rename(`${path}.new`, path);
    } catch (error) {
      log.warn({ err: error }, 'the voices of TTS services could not be saved');
    }
  };
  return {
    of: (account) => known.get(account) ?? null,
    keep(account, voices) {
      known.set(account, voices);
      writing = writing.then(write);
    },
    close: () => writing,
  };
}
