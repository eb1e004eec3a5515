import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../control/testing/postgres.ts';
import { start } from '../support/program.ts';
import { WITHOUT_RECOGNIZER, type RunningService, startService } from '../support/service.ts';

/** @returns the id of a session that is live now. */
async function liveSession(service: RunningService): Promise<string> {
  const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
  const { sessionId } = await service.api<{ sessionId: string }>('POST', '/v1/engine/session', {
    personaConfig: { avatarId: data[0]?.id },
  });
  return sessionId;
}

/** What a start writes about sessions that it takes for those of a crash. */
const AFTER_A_CRASH = 'The service stopped during this session.';
const endOf = async (service: RunningService, id: string): Promise<unknown> =>
  (await service.api('GET', `/v1/sessions/${id}`))['endMessage'];

/**
 * Whoever started Parley twice on the same data, by a typing error or a supervisor that lost track, saw the second
 * process end all live sessions of the first in the database, as if after a crash.
 */
describe('a second process on the same data', () => {
  const folders: string[] = [];
  const folder = async (): Promise<string> => {
    folders.push(await mkdtemp(join(tmpdir(), 'parley-second-')));
    return folders.at(-1)!;
  };
  let postgres: TestPostgres | null = null;
  beforeAll(async () => {
    if (postgresPrograms() !== null) postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
    for (const path of folders) await rm(path, { recursive: true, force: true });
  });

  async function refusesTheSecond(
    env: Record<string, string>,
    dataDirs: { first: string; second: string },
    sentence: string,
  ): Promise<void> {
    const first = await startService({ dataDir: dataDirs.first, env });
    try {
      const session = await liveSession(first);
      const second = start({ ...env, PARLEY_DATA_DIR: dataDirs.second });
      expect(await second.exited, second.output()).toBe(1);
      expect(second.output()).toContain(sentence);
      expect(second.output()).not.toMatch(/\n\s+at /);
      expect(await endOf(first, session)).not.toBe(AFTER_A_CRASH);

      const cutOff = await liveSession(first);
      await first.kill();
      const third = await startService({ dataDir: dataDirs.second, env });
      expect(await endOf(third, cutOff)).toBe(AFTER_A_CRASH);
      await third.stop();
    } finally {
      await first.stop();
    }
  }

  it('is refused on the same folder, and a folder whose process was killed is taken over', async () => {
    const dataDir = await folder();
    await refusesTheSecond(
      WITHOUT_RECOGNIZER,
      { first: dataDir, second: dataDir },
      `another Parley is running on the folder ${dataDir}`,
    );
  });

  (postgresPrograms() === null ? it.skip : it)(
    'is refused in the same database under the same name',
    { tags: ['nightly'] },
    async () => {
      await refusesTheSecond(
        { DATABASE_URL: await postgres!.createDatabase() },
        { first: await folder(), second: await folder() },
        'another Parley named "main" is running on this database',
      );
    },
  );

  // In every run, without a service: control/store/engine-name-lock.long.test.ts.
  (postgresPrograms() === null ? it.skip : it)(
    'is welcome in the same database under its own name, and its crash ends no session of the first',
    { tags: ['nightly'] },
    async () => {
      const env = { DATABASE_URL: await postgres!.createDatabase() };
      const [island, other] = [
        await startService({ dataDir: await folder(), env }),
        await startService({ dataDir: await folder(), env: { ...env, PARLEY_ENGINE_ID: 'other' } }),
      ];
      const session = await liveSession(island);
      await other.kill();
      const again = await startService({ dataDir: await folder(), env: { ...env, PARLEY_ENGINE_ID: 'other' } });
      expect(await endOf(island, session), 'a crash elsewhere is nothing to this one').not.toBe(AFTER_A_CRASH);
      await Promise.all([island.stop(), again.stop()]);
    },
  );
});
