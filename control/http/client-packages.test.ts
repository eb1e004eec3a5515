import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveClientPackages } from './client-packages.ts';

/** The guides said `npm install @parley/client`, and no registry has it. */
describe('packages of the clients', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-packages-'));
  const app = Fastify();
  const wheel = 'parley_client-0.1.0-py3-none-any.whl';
  beforeAll(async () => {
    for (const file of ['parley-client.tgz', 'parley-react.tgz', wheel]) writeFileSync(join(folder, file), file);
    await serveClientPackages(app, folder, () => 'https://talk.example.com/parley');
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  it('are listed with the line for a shell', async () => {
    const { packages } = (await app.inject('/clients')).json<{ packages: { install: string }[] }>();
    const at = 'https://talk.example.com/parley/clients';
    expect(packages.map(({ install }) => install)).toEqual([
      `npm install ${at}/parley-client.tgz`,
      `npm install ${at}/parley-client.tgz ${at}/parley-react.tgz`,
      `pip install ${at}/${wheel}`,
    ]);
  });

  it('are served, and nothing else', async () => {
    expect(await app.inject(`/clients/${wheel}`)).toMatchObject({ statusCode: 200, body: wheel });
    expect((await app.inject('/clients/..%2f..%2fetc%2fpasswd')).statusCode).toBe(404);
  });

  it('are none without a build', async () => {
    const bare = Fastify();
    await serveClientPackages(bare, join(folder, 'none'), () => '');
    expect((await bare.inject('/clients')).json()).toEqual({ packages: [] });
    await bare.close();
  });
});
