import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { LatencyTable, Logger } from '../../engine/index.ts';
import { TIMED_RESULTS } from '../../models/latency-table.ts';

/** In the data folder: times and ids of providers, nothing of any conversation. */
const FILE = 'latencies.json';
/** A killed service loses no more than this. */
const SAVE_EVERY_MS = 300_000;
/** Older latencies say nothing of today; the provider may no longer be in use. */
const OLDEST_MS = 86_400_000;

const content = z.array(
  z.object({
    result: z.enum(TIMED_RESULTS),
    provider: z.string().max(512),
    times: z.array(z.number().min(0)).max(1_000),
    lastAt: z.number(),
  }),
);

/**
 * Saves the latencies of providers from one start to the next. A file that cannot be read counts as none.
 * @param now ms since the epoch.
 */
export async function saveLatencies(
  dataDir: string,
  latencies: LatencyTable,
  log: Logger,
  now: () => number = Date.now,
): Promise<{ close(): Promise<void> }> {
  const path = join(dataDir, FILE);
  const isRecent = ({ lastAt }: { lastAt: number }): boolean => now() - lastAt <= OLDEST_MS;
  try {
    latencies.restore(content.parse(JSON.parse(await readFile(path, 'utf8'))).filter(isRecent));
  } catch {
    // The first start, or a file that somebody changed.
  }
  const save = async (): Promise<void> => {
    try {
      await writeFile(`${path}.new`, JSON.stringify(latencies.kept().filter(isRecent)));
      await rename(`${path}.new`, path);
    } catch (error) {
      log.warn({ err: error }, 'the latencies of providers could not be saved');
    }
  };
  const timer = setInterval(() => void save(), SAVE_EVERY_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await save();
    },
  };
}

/** The same, until `closing`. */
export async function openSavedLatencies(
  closing: AsyncDisposableStack,
  ...where: Parameters<typeof saveLatencies>
): Promise<void> {
  const kept = await saveLatencies(...where);
  closing.defer(() => kept.close());
}
