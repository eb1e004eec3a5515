import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MeetingEndReason } from '../../ports.ts';
import type { Store } from '../../store/open.ts';
import { type MeetingService, MINUTE, START, startMeetingService } from '../../testing/meeting-service.ts';
import { describeOnBothDatabasesEachNight } from '../../testing/stores.ts';

// In every run on SQLite, too: invites.long.test.ts, meeting-visit.long.test.ts.
describeOnBothDatabasesEachNight('scheduled meetings', (stores) => {
  let store: Store;
  let service: MeetingService;
  const running: MeetingService[] = [];

  /** @param engine one that has the same name as another one took its place. */
  async function start(engine = 'main', now = START, sharedNow?: () => Promise<number>): Promise<MeetingService> {
    const settings = { PARLEY_ENGINE_ID: engine, PARLEY_MAX_MEETINGS: '100' };
    const started = await startMeetingService(store, { settings, now, ...(sharedNow && { sharedNow }) });
    running.push(started);
    await started.settled();
    return started;
  }
  beforeEach(async () => {
    store = await stores.open();
    service = await start();
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.close();
  });

  const at = (ms: number) => ({ joinAt: new Date(START + ms).toISOString() });
  const fail = (id: string, reason: MeetingEndReason, on = service) => {
    on.visitOf(id).handlers.ended({ state: 'error', reason, message: `It was ${reason}.` });
    return on.settled();
  };
  const joins = (id: string, on = service) =>
    on.meetings.visits.filter(({ request }) => request.inviteId === id).length;

  it('are joined at their time, and not before', async () => {
    const near = await service.invite(at(5_000));
    const far = await service.invite(at(12 * MINUTE));
    await service.pass(4_000);
    expect(service.meetings.visits).toEqual([]);
    await service.pass(2_000);
    expect(service.meetings.visits.map(({ request }) => request.inviteId)).toEqual([near.id]);
    await service.pass(12 * MINUTE - 8_000);
    expect(joins(far.id)).toBe(0);
    await service.pass(4_000);
    expect(joins(far.id)).toBe(1);
    expect(joins(near.id)).toBe(1);
  });

  it('that have not started are tried again, with longer and longer pauses, until somebody comes', async () => {
    const { id } = await service.invite(at(5_000));
    await service.pass(6_000);
    for (const [tries, pause] of [5_000, 10_000, 20_000, 40_000, 60_000].entries()) {
      await fail(id, 'meeting_not_started');
      expect(await service.read(id)).toMatchObject({
        status: 'pending',
        joinState: null,
        statusReason: 'meeting_not_started',
        statusMessage: 'It was meeting_not_started.',
      });
      await service.pass(pause - 2_000);
      expect(joins(id)).toBe(tries + 1);
      await service.pass(4_000);
      expect(joins(id)).toBe(tries + 2);
    }
    await service.admit(id);
    expect(await service.read(id)).toMatchObject({ status: 'active', statusReason: null, statusMessage: null });
  });

  it('that never start are given up after a quarter of an hour', async () => {
    const { id } = await service.invite();
    const { meetings } = service;
    const join = meetings.join.bind(meetings);
    meetings.join = (request, handlers) => {
      const visit = join(request, handlers);
      meetings.visits.at(-1)!.handlers.ended({ state: 'error', reason: 'meeting_not_started', message: 'Nobody.' });
      return visit;
    };
    await fail(id, 'meeting_not_started');
    await service.pass(16 * MINUTE);
    expect(await service.read(id)).toMatchObject({
      status: 'failed',
      joinState: 'error',
      statusReason: 'meeting_not_started',
      statusMessage: 'Nobody.',
    });
    const tries = joins(id);
    expect(tries).toBeGreaterThan(10);
    await service.pass(5 * MINUTE);
    expect(joins(id)).toBe(tries);
  });

  it('that nobody could join, for a reason without a name, are tried three times', async () => {
    const { id } = await service.invite();
    for (const pause of [7_000, 12_000]) {
      await fail(id, 'provider_error');
      await service.pass(pause);
    }
    expect(joins(id)).toBe(3);
    await fail(id, 'provider_error');
    await service.pass(5 * MINUTE);
    expect(joins(id)).toBe(3);
    expect(await service.read(id)).toMatchObject({ status: 'failed', statusReason: 'provider_error' });
  });

  it.each(['join_denied', 'not_admitted', 'meeting_link_invalid'] as const)(
    'whose persona was not let in (%s) are not tried again',
    async (reason) => {
      const { id } = await service.invite();
      await fail(id, reason);
      await service.pass(5 * MINUTE);
      expect(joins(id)).toBe(1);
      expect(await service.read(id)).toMatchObject({ status: 'failed', joinState: 'error', statusReason: reason });
    },
  );

  it('that are cancelled before their time, or between two tries, are not joined', async () => {
    const ahead = await service.invite(at(5_000));
    const between = await service.invite();
    await fail(between.id, 'provider_error');
    for (const { id } of [ahead, between]) {
      expect((await service.send('DELETE', `/v1/meetings/invites/${id}`)).status).toBe(204);
      expect(await service.read(id)).toMatchObject({ status: 'cancelled', joinState: null, statusReason: null });
    }
    await service.pass(MINUTE);
    expect(joins(ahead.id)).toBe(0);
    expect(joins(between.id)).toBe(1);
  });

  it('stay in the database: the next process joins those that come due while none runs', async () => {
    const { id } = await service.invite(at(MINUTE));
    await running.pop()!.close();
    const next = await start('main', START + 2 * MINUTE);
    expect(joins(id, next)).toBe(1);
  });

  it('that came due long ago are not joined any more', async () => {
    const { id } = await service.invite(at(MINUTE));
    await running.pop()!.close();
    const next = await start('main', START + 17 * MINUTE);
    expect(joins(id, next)).toBe(0);
    expect(await next.read(id)).toMatchObject({
      status: 'failed',
      statusReason: 'provider_error',
      statusMessage: expect.stringContaining('did not run'),
    });
  });

  it('go on after a stop: who was in a meeting goes back, who was on the way goes again', async () => {
    const [inside, onTheWay] = [await service.invite(), await service.invite()];
    const before = await service.admit(inside.id);
    service.visitOf(inside.id).handlers.state('media_active');
    service.visitOf(onTheWay.id).handlers.state('waiting_room');
    await service.settled();
    await running.pop()!.close();
    for (const visit of service.meetings.visits) expect(visit.over).toBe(true);

    const next = await start('main', START + 4 * MINUTE);
    expect(await next.read(inside.id)).toMatchObject({ status: 'active', joinState: 'joining', sessionId: before });
    expect(await next.read(onTheWay.id)).toMatchObject({ status: 'pending', joinState: 'joining' });
    const after = await next.admit(inside.id);
    expect(after).not.toBe(before);
    expect(await next.read(inside.id)).toMatchObject({ status: 'active', sessionId: after });
  });

  it('go on after a crash, each once', async () => {
    const invites = await Promise.all(Array.from({ length: 5 }, () => service.invite()));
    await service.admit(invites[0]!.id);
    service.visitOf(invites[0]!.id).handlers.state('in_call');
    await service.settled();
    // Nothing of the first process is told: its successor has its name.
    const next = await start('main', START + MINUTE);
    for (const { id } of invites) expect(joins(id, next)).toBe(1);
    // If the first one still lived, it would leave.
    await service.pass(5_000);
    for (const visit of service.meetings.visits) expect(visit.over).toBe(true);
    for (const { id } of invites) expect(await next.read(id)).toMatchObject({ joinState: 'joining' });
  });

  it('from which a crash tore the persona too long ago have failed', async () => {
    const { id } = await service.invite();
    const sessionId = await service.admit(id);
    service.visitOf(id).handlers.state('in_call');
    await service.settled();
    const next = await start('main', START + 6 * MINUTE);
    expect(joins(id, next)).toBe(0);
    expect(await next.read(id)).toMatchObject({
      status: 'failed',
      joinState: 'error',
      statusReason: 'provider_error',
      statusMessage: 'The service stopped during the meeting.',
      sessionId,
    });
  });

  it('to which the persona does not come back in five minutes have failed, however often the service starts', async () => {
    const { id } = await service.invite();
    await service.admit(id);
    service.visitOf(id).handlers.state('in_call');
    await service.settled();
    const second = await start('main', START + 3 * MINUTE);
    expect(joins(id, second)).toBe(1);
    const third = await start('main', START + 6 * MINUTE);
    expect(joins(id, third)).toBe(0);
    expect(await third.read(id)).toMatchObject({ status: 'failed' });
  });

  it('are joined by one of several processes, and by another one when that one is gone', async () => {
    const other = await start('other');
    const invites = await Promise.all(Array.from({ length: 8 }, () => service.invite(at(5_000))));
    await Promise.all([service.pass(8_000), other.pass(8_000)]);
    for (const { id } of invites) expect(joins(id) + joins(id, other)).toBe(1);

    const ofFirst = invites.filter(({ id }) => joins(id) === 1);
    const ofOther = invites.filter(({ id }) => joins(id) === 0);
    // The first one says nothing any more.
    await other.pass(40_000);
    for (const { id } of ofFirst) expect(joins(id, other)).toBe(0);
    await other.pass(10_000);
    for (const { id } of ofFirst) expect(joins(id, other)).toBe(1);
    for (const { id } of ofOther) expect(joins(id, other)).toBe(1);
  });

  it('are neither joined early nor taken away by a process whose clock is ahead', async () => {
    const { id } = await service.invite(at(5_000));
    const ahead = await start('ahead', START + MINUTE, async () => service.clock.now);
    await ahead.pass(4_000);
    expect(joins(id, ahead)).toBe(0);
    await service.pass(6_000);
    expect(joins(id)).toBe(1);
    // By its own clock, nothing was heard of the visit for two minutes.
    await ahead.pass(MINUTE);
    expect(joins(id, ahead)).toBe(0);
    expect(joins(id)).toBe(1);
  });

  it('for which a process keeps a place are left to it, unless it does not come', async () => {
    const other = await start('other');
    const { id } = await service.invite(at(10 * MINUTE));
    await other.pass(10 * MINUTE + 10_000);
    expect(joins(id, other)).toBe(0);
    await other.pass(15_000);
    expect(joins(id, other)).toBe(1);
  });

  it('whose secrets cannot be opened any more fail', async () => {
    const { id } = await service.invite();
    await store.db.updateTable('meeting_invites').set({ request_cipher: 'v1.x.y.z.w' }).where('id', '=', id).execute();
    const next = await start('main', START + 1_000);
    expect(joins(id, next)).toBe(0);
    expect(await next.read(id)).toMatchObject({
      status: 'failed',
      statusReason: 'provider_error',
      statusMessage: expect.stringContaining('master key'),
    });
  });
});
