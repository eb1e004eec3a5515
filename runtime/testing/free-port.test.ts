import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { freePort } from './free-port.ts';

it('is a port on which a program can listen, and is given once', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, freePort));
  expect(new Set(ports).size).toBe(200);
  const server = createServer().listen(ports[0], '127.0.0.1');
  await once(server, 'listening');
  server.close();
});

/** Eight files of tests side by side were given the same port now and then, before either program listened on it. */
it.skipIf(process.platform !== 'linux')('is kept from other processes until this one ends', async () => {
  const port = await freePort();
  await expect(once(createServer().listen(`\0parley-test-port-${port}`), 'listening')).rejects.toThrow('EADDRINUSE');
  const module = fileURLToPath(new URL('free-port.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    `import { freePort } from ${JSON.stringify(module)}; console.log(await freePort());`,
  ]);
  const theirs = Number(stdout);
  // It has ended, without waiting for what it kept.
  const again = createServer().listen(`\0parley-test-port-${theirs}`);
  await once(again, 'listening');
  again.close();
});
