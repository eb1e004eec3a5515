import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { start } from '../support/program.ts';

/** "nobody" on Linux: file modes mean nothing to root. */
const NOBODY = 65_534;
const ordinaryUser = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** Each of these ended in a stack, or never ended. Of two of one kind, the second is tried each night. */
describe('a start that cannot work says so in plain words and ends', () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-start-errors-'));
  chmodSync(root, 0o755);
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  /** A data folder with one file in it. */
  const folderWith = (name: string, content: string | Buffer): string => {
    const folder = mkdtempSync(join(root, 'data-'));
    writeFileSync(join(folder, name), content);
    return folder;
  };

  async function failure(env: Record<string, string>, as = {}): Promise<string> {
    const service = start(env, [], as);
    expect(await service.exited, service.output()).toBe(1);
    expect(service.output()).not.toMatch(/\n\s+at |"stack"/);
    expect(service.output().trim().split('\n'), service.output()).toHaveLength(1);
    return service.output();
  }

  it('a data folder in /proc, which takes no folders', async () => {
    expect(await failure({ PARLEY_DATA_DIR: '/proc/x' })).toContain(
      'PARLEY_DATA_DIR: the folder /proc/x cannot be made',
    );
  });

  it('a data folder of somebody else', { tags: ['nightly'] }, async () => {
    const folder = mkdtempSync(join(root, 'theirs-'));
    chmodSync(folder, 0o555);
    expect(await failure({ PARLEY_DATA_DIR: folder, NODE_COMPILE_CACHE: '' }, ordinaryUser)).toContain(
      `PARLEY_DATA_DIR: the folder ${folder} cannot be written to`,
    );
  });

  it('a data folder that is a file', { tags: ['nightly'] }, async () => {
    const folder = folderWith('file', '');
    expect(await failure({ PARLEY_DATA_DIR: join(folder, 'file') })).toContain('cannot be made');
  });

  it('a master key that is none', { tags: ['nightly'] }, async () => {
    expect(await failure({ PARLEY_DATA_DIR: folderWith('master.key', 'short\n') })).toContain(
      'master.key does not hold a master key. Restore it',
    );
  });

  it('a database that is none', async () => {
    expect(await failure({ PARLEY_DATA_DIR: folderWith('parley.sqlite', Buffer.alloc(40_000, 'garbage')) })).toContain(
      'is damaged',
    );
  });

  it('a database whose name is a folder', { tags: ['nightly'] }, async () => {
    const folder = mkdtempSync(join(root, 'data-'));
    mkdirSync(join(folder, 'parley.sqlite'));
    expect(await failure({ PARLEY_DATA_DIR: folder })).toContain('parley.sqlite cannot be used');
  });

  it('a name to listen on that nobody knows', { tags: ['nightly'] }, async () => {
    expect(await failure({ PARLEY_DATA_DIR: join(root, 'fresh'), PARLEY_HOST: 'nobody.invalid' })).toContain(
      'PARLEY_HOST: this machine does not know the name nobody.invalid',
    );
  });

  it('an address to listen on that this machine does not have', { tags: ['nightly'] }, async () => {
    expect(await failure({ PARLEY_DATA_DIR: join(root, 'fresh'), PARLEY_HOST: '192.0.2.1' })).toContain(
      'PARLEY_HOST: this machine has no address 192.0.2.1',
    );
  });

  it('a port in use', { tags: ['nightly'] }, async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await failure({ PARLEY_DATA_DIR: join(root, 'fresh'), PORT: String(port) })).toContain(
      `TCP port ${port} is in use`,
    );
    server.close();
  });

  it('an endpoint for embeddings that does not answer', async () => {
    const env = {
      PARLEY_DATA_DIR: join(root, 'fresh'),
      PARLEY_EMBEDDINGS_BASE_URL: 'http://127.0.0.1:1/v1',
      PARLEY_EMBEDDINGS_MODEL: 'any',
    };
    expect(await failure(env)).toContain('PARLEY_EMBEDDINGS_BASE_URL: ');
  });
});
