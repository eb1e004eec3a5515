import { spawnSync } from 'node:child_process';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHeadlessConversation } from '../../bench/lib/headless-conversation.ts';
import { type OwnPostgres, postgresPrograms, startPostgres } from '../../control/testing/postgres.ts';
import { startService, type RunningService } from '../support/service.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const disk = postgresPrograms() === null ? null : mountSmallDisk(64);

/**
 * The disk of PostgreSQL's tables fills up, while that of the service has room. Who talks at that moment shall not
 * notice.
 */
describe.skipIf(disk === null)('a full disk of PostgreSQL', () => {
  let server: OwnPostgres;
  let service: RunningService;
  beforeAll(async () => {
    server = await startPostgres();
    spawnSync('chown', ['postgres', disk!.folder]);
    const url = await databaseOn(server, disk!.folder);
    service = await startService({ env: { DATABASE_URL: url } });
  });
  afterAll(async () => {
    await service?.stop();
    await server?.stop();
    disk!.remove();
  });

  const readyz = async () => {
    const response = await fetch(`${service.url}/readyz`);
    const { database } = (await response.json()) as { database: string };
    return { status: response.status, database };
  };
  const makeTool = async (name: string) => {
    const response = await fetch(`${service.url}/v1/tools`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, description: 'x'.repeat(1_000), type: 'CLIENT' }),
    });
    return { status: response.status, body: (await response.json()) as { error?: string } };
  };
  const transcript = async (sessionId: string): Promise<string[]> => {
    const path = `/v1/sessions/${sessionId}/transcript`;
    const { messages } = await service.api<{ messages: { role: string; message: string }[] }>('GET', path);
    return messages.filter(({ role }) => role === 'user').map(({ message }) => message);
  };

  // In every run: a full disk of SQLite, and a PostgreSQL that takes no writes
  // (control/store/read-only-database.long.test.ts).
  it(
    'stops no conversation, is told clearly, and what was said meanwhile is stored later',
    { tags: ['nightly'] },
    async () => {
      const user = await openHeadlessConversation(service);
      await user.ask('What was said before?');
      await expect.poll(() => transcript(user.sessionId)).toEqual(['What was said before?']);

      const free = disk!.fill();
      // What PostgreSQL has room for in the pages that it has is still taken.
      let made = 0;
      await expect
        .poll(() => makeTool(`tool_${(made += 1)}`))
        .toMatchObject({ status: 503, body: { error: 'Storage is full' } });
      const said = ['What was said before?'];
      const ask = async (): Promise<string> => {
        said.push(`What is ${said.length} and ${said.length}?`);
        await user.ask(said.at(-1)!);
        return service.output();
      };
      await expect.poll(ask).toContain('what sessions say is kept in memory');
      expect(await readyz()).toMatchObject({ database: 'ok' });

      free();
      await expect.poll(() => makeTool('after')).toMatchObject({ status: 201 });
      await expect.poll(() => transcript(user.sessionId)).toEqual(said);
      await user.ask('And now?');
      expect(await readyz()).toEqual({ status: 200, database: 'ok' });
      user.close();
      expect(service.output()).not.toMatch(/Uncaught|unhandled/i);
    },
  );
});

/** @returns the URL of a database whose tables are in this folder. */
async function databaseOn(server: OwnPostgres, folder: string): Promise<string> {
  const url = new URL(await server.createDatabase());
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create tablespace small location '${folder}'`);
  await client.query(`alter database ${url.pathname.slice(1)} set tablespace small`);
  await client.end();
  return url.href;
}
