import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../store/open.ts';
import { type MeetingService, MINUTE, START, startMeetingService } from '../../testing/meeting-service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnBothDatabasesEachNight } from '../../testing/stores.ts';

// In every run on SQLite, too: invites.long.test.ts, meeting-visit.long.test.ts.
describeOnBothDatabasesEachNight('places for meetings', (stores) => {
  let store: Store;
  let service: MeetingService;
  let running: MeetingService[];

  async function start(settings: Record<string, string> = {}, now = START): Promise<MeetingService> {
    const started = await startMeetingService(store, { settings, now });
    started.engine.capacity = 2;
    running.push(started);
    return started;
  }
  beforeEach(async () => {
    [store, running] = [await stores.open(), []];
    service = await start();
  });
  afterEach(async () => {
    for (const one of running) await one.close();
  });

  const at = (ms: number) => ({ joinAt: new Date(START + ms).toISOString() });
  const session = (key?: string) =>
    service.send('POST', '/v1/engine/session', { personaConfig: { avatarId: STOCK.avatar } }, key);
  const refusal = async (body: object) => {
    const answer = await service.invite(body).catch((error: Error) => error.message);
    return typeof answer === 'string' ? answer : null;
  };

  it('are kept free from two minutes before a meeting that was scheduled ten minutes ahead, and go to its session', async () => {
    const { id } = await service.invite(at(10 * MINUTE));
    expect((await session()).status).toBe(200);
    await service.pass(8 * MINUTE - 1_000);
    expect((await service.send('GET', '/v1/sessions/concurrency')).body.canStartSession).toBe(true);
    await service.pass(1_000);
    expect(await session()).toMatchObject({ status: 429, body: { error: 'Concurrent session limit reached' } });
    expect((await session(service.otherKey)).status).toBe(429);
    expect((await service.send('GET', '/v1/sessions/concurrency')).body.canStartSession).toBe(false);
    expect((await service.send('GET', '/metrics', undefined, null)).text).toMatch(/^parley_places_reserved 1$/m);

    await service.pass(2 * MINUTE + 1_000);
    service.visitOf(id).handlers.state('waiting_room');
    await service.pass(5 * MINUTE);
    // However long the lobby takes.
    expect((await session()).status).toBe(429);
    const sessionId = await service.admit(id);
    await service.pass(2_000);
    expect(service.engine.isLive(sessionId)).toBe(true);
    expect((await service.send('GET', '/metrics', undefined, null)).text).toMatch(/^parley_places_reserved 0$/m);
    expect((await session()).status).toBe(429);
    service.visitOf(id).handlers.ended({ state: 'left', reason: 'meeting_ended', message: 'Over.' });
    await service.settled();
    expect((await session()).status).toBe(200);
  });

  it('come back when the meeting is cancelled, or when nobody could join it', async () => {
    const cancelled = await service.invite(at(10 * MINUTE));
    const denied = await service.invite(at(10 * MINUTE));
    await service.pass(8 * MINUTE);
    expect((await session()).status).toBe(429);
    await service.send('DELETE', `/v1/meetings/invites/${cancelled.id}`);
    expect((await session()).status).toBe(200);
    expect((await session()).status).toBe(429);
    await service.pass(2 * MINUTE + 1_000);
    service.visitOf(denied.id).handlers.ended({ state: 'error', reason: 'join_denied', message: 'No.' });
    await service.pass(1_000);
    expect((await session()).status).toBe(200);
  });

  it('are kept over a restart', async () => {
    await service.invite(at(10 * MINUTE));
    await running.pop()!.close();
    service = await start({}, START + 9 * MINUTE);
    service.engine.capacity = 1;
    await service.settled();
    expect((await session()).status).toBe(429);
  });

  it('are not kept for a meeting that was scheduled later than that: it takes what is free when it is let in', async () => {
    const { id } = await service.invite(at(9 * MINUTE));
    for (let i = 0; i < 2; i += 1) expect((await session()).status).toBe(200);
    await service.pass(9 * MINUTE + 1_000);
    expect(service.meetings.visits).toEqual([]);
    service.engine.end([...service.engine.live.keys()][0]!, 1000);
    await service.pass(1_000);
    expect((await session()).status).toBe(200);
    expect(await service.visitOf(id).handlers.admitted()).toBeNull();
    service.visitOf(id).handlers.ended({ state: 'left', reason: 'left_call', message: 'No session.' });
    await service.settled();
    expect(await service.read(id)).toMatchObject({
      status: 'pending',
      statusReason: 'provider_error',
      statusMessage: 'Every place for a session was taken.',
    });
    service.engine.end([...service.engine.live.keys()][0]!, 1000);
    await service.pass(7_000);
    await service.admit(id);
    expect(await service.read(id)).toMatchObject({ status: 'active', statusReason: null });
  });

  it('that never become free let such a meeting fail', async () => {
    const { id } = await service.invite(at(MINUTE));
    for (let i = 0; i < 2; i += 1) expect((await session()).status).toBe(200);
    await service.pass(17 * MINUTE);
    expect(service.meetings.visits).toEqual([]);
    expect(await service.read(id)).toMatchObject({
      status: 'failed',
      statusReason: 'provider_error',
      statusMessage: expect.stringContaining('had no free place'),
    });
  });

  it('are refused with advice when all are taken', async () => {
    for (let i = 0; i < 2; i += 1) expect((await session()).status).toBe(200);
    const answer = await service.send('POST', '/v1/meetings/invites', {
      meetingUrl: 'zoom.us/j/1',
      personaConfig: { avatarId: STOCK.avatar },
    });
    expect(answer).toMatchObject({
      status: 503,
      body: { error: 'Meeting service is at capacity, please try again shortly' },
      headers: { 'retry-after': '30', 'ratelimit-limit': expect.any(String) },
    });
  });

  it('are promised to no more meetings within an hour than there are', async () => {
    const answers = await Promise.all([10, 11, 12, 13].map((minutes) => refusal(at(minutes * MINUTE))));
    expect(answers.filter((answer) => answer === null)).toHaveLength(2);
    expect(answers.filter((answer) => answer?.includes('at capacity'))).toHaveLength(2);
    expect(await refusal(at(69 * MINUTE))).toContain('at capacity');
    expect(await refusal(at(74 * MINUTE))).toBeNull();
  });

  it('count for browsers too: so many personas are in meetings at the same time as the operator allows', async () => {
    await running.pop()!.close();
    service = await start({ PARLEY_MAX_MEETINGS: '2' });
    service.engine.capacity = 20;
    const scheduled = await service.invite(at(10 * MINUTE));
    await service.pass(8 * MINUTE);
    const now = await service.invite();
    // The second browser is the scheduled meeting's.
    expect(await refusal({})).toContain('at capacity');
    expect((await service.send('GET', '/metrics', undefined, null)).text).toMatch(/^parley_meetings_active 1$/m);
    await service.pass(2 * MINUTE + 1_000);
    await service.admit(scheduled.id);
    service.visitOf(now.id).handlers.ended({ state: 'error', reason: 'join_denied', message: 'No.' });
    await service.settled();
    expect(await refusal({})).toBeNull();
  });
});
