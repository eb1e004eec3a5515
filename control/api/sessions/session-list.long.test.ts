import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';

describeOnBothDatabases('sessions', (stores) => {
  let service: TestService;
  let [refund, console, live] = ['', '', ''];
  beforeAll(async () => {
    service = await startTestService(await stores.open());
    const start = async (clientLabel: string): Promise<string> => {
      service.clock.now += 60_000;
      const body = { personaConfig: { avatarId: STOCK.avatar, name: 'Guide' }, clientLabel };
      return (await service.send('POST', '/v1/engine/session', body)).body.sessionId;
    };
    refund = await start('=shop');
    service.engine.report(refund, {
      kind: 'message',
      message: { messageId: 'm', role: 'user', text: 'A Refund, "please"', at: 5, speakingMs: 1, interrupted: false },
    });
    service.engine.end(refund, 1_000);
    console = await start('console');
    service.engine.end(console, 1_000, 'connection_lost');
    live = await start('shop');
    await service.sessions.flush();
  });
  afterAll(async () => service.close());

  const found = async (query: string): Promise<string[]> => {
    const listed = await service.send('GET', `/v1/sessions?${query}`);
    expect(listed.status, listed.text).toBe(200);
    return listed.body.data.map(({ id }: { id: string }) => id);
  };

  it('are found by words that were said, by time, outcome and source', async () => {
    expect(await found('words=refund')).toEqual([refund]);
    expect(await found('words=100%25')).toEqual([]);
    expect(await found('outcome=live')).toEqual([live]);
    expect(await found('outcome=connection_lost')).toEqual([console]);
    expect(await found('source=console')).toEqual([console]);
    expect(await found('source=api')).toEqual([live, refund]);
    expect(await found('source=share_link')).toEqual([]);
    const { startTime } = (await service.send('GET', `/v1/sessions/${console}`)).body;
    expect(await found(`from=${startTime}`)).toEqual([live, console]);
    expect(await found(`to=${startTime}`)).toEqual([refund]);
    expect((await service.send('GET', '/v1/sessions?from=yesterday')).body.details[0].path).toBe('from');
  });

  it('are exported with the same filters, and nothing that a spreadsheet would run', async () => {
    const csv = await service.send('GET', '/v1/sessions/export?words=refund');
    expect(csv.headers['content-disposition']).toBe('attachment; filename="sessions.csv"');
    const lines = csv.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`${refund},`);
    expect(lines[1]).toContain(",'=shop,");
    const rows = (await service.send('GET', '/v1/sessions/export?format=jsonl')).text.trimEnd().split('\n');
    expect(rows.map((line) => JSON.parse(line).id)).toEqual([live, console, refund]);
    expect(JSON.parse(rows[2]!).transcript).toMatchObject([{ role: 'user', message: 'A Refund, "please"' }]);
    expect(
      (await service.send('GET', '/v1/sessions/export', undefined, service.otherKey)).text.split('\r\n'),
    ).toHaveLength(2);
  });

  it('export no words that were deleted', async () => {
    const deletedAt = async () => (await service.send('GET', `/v1/sessions/${refund}`)).body.contentDeletedAt;
    expect(await deletedAt()).toBeNull();
    expect((await service.send('DELETE', `/v1/sessions/${refund}`)).status).toBe(204);
    expect(await deletedAt()).not.toBeNull();
    expect((await service.send('GET', '/v1/sessions/export?format=jsonl')).text).not.toContain('Refund');
  });
});
