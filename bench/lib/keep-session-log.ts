import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceAccess } from '../../e2e/support/service.ts';

/** Writes the log of an ended session as `session.jsonl` into this folder, for `npm run replay`. */
export async function keepSessionLog(service: ServiceAccess, sessionId: string, folder: string): Promise<void> {
  const log = await fetch(`${service.url}/v1/sessions/${sessionId}/log`, {
    headers: { authorization: `Bearer ${service.apiKey}` },
  });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'session.jsonl'), await log.text());
}
