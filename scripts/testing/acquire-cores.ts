import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { CORES_SOCKET, type Claim } from './core-scheduler.ts';
import { coresOf } from './cores-of-file.ts';

/** Longer than all files together: a file that waits for this long hangs. */
const MAX_WAIT_MS = 3_600_000;

let lender: Socket | null = null;

/** The shared service is the only one that already runs. */
const startsService = (file: string): boolean => !readFileSync(file, 'utf8').includes('/shared-service.ts');

// Hooks that are registered first begin first and end last: before the services of the file start, and after they have
// ended.
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from it which fixtures are used
beforeAll(async ({}, file) => {
  const path = process.env[CORES_SOCKET];
  if (path === undefined) return;
  const asked = performance.now();
  lender = connect(path);
  lender.write(JSON.stringify({ cores: coresOf(file.name), startsService: startsService(file.name) } satisfies Claim));
  await new Promise((lent, failed) => lender!.once('data', lent).once('error', failed));
  file.meta.waitedMs = performance.now() - asked;
}, MAX_WAIT_MS);

afterAll(() => lender?.destroy());
