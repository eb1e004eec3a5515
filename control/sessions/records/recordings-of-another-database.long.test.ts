import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';

// A start with a wrong DATABASE_URL, or after an older backup of the database was restored, deleted every recording whose
// session it did not know.
describeOnBothDatabases('a recording', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());

  it('whose session is not in this database stays where it is, and is told', async () => {
    const sessionId = randomUUID();
    const path = join(service.dataDir, `${sessionId}.mp4`);
    writeFileSync(path, 'sound and image');
    await service.sessions.noteRecording(sessionId, { path, durationMs: 1, bytes: 15 });
    expect(existsSync(path)).toBe(true);
    expect(service.logged.join('\n')).toContain('whose session is not in this database');
    expect(await service.store.db.selectFrom('recordings').selectAll().execute()).toEqual([]);
  });
});
