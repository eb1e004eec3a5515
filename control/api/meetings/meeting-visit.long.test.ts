import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteExpired } from '../../housekeeping/retention.ts';
import { type MeetingService, MINUTE, START, startMeetingService } from '../../testing/meeting-service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';

describeOnBothDatabases('a persona in a meeting', (stores) => {
  let service: MeetingService;
  beforeAll(async () => {
    service = await startMeetingService(await stores.open(), { settings: { PARLEY_MAX_MEETINGS: '1000' } });
  });
  afterAll(() => service.close());

  it('goes in at once, and the invite tells how far it has come', async () => {
    const { id, joinAt } = await service.invite({ groupCall: false, displayName: 'Ada' });
    expect(joinAt).toBeNull();
    expect(service.visitOf(id).request).toEqual({
      inviteId: id,
      provider: 'zoom',
      meetingUrl: 'https://zoom.us/j/1',
      displayName: 'Ada (AI)',
      longestMs: 240 * MINUTE,
    });
    expect(await service.read(id)).toMatchObject({ status: 'pending', joinState: 'joining', sessionId: null });

    const { handlers } = service.visitOf(id);
    handlers.state('waiting_room');
    await service.settled();
    expect(await service.read(id)).toMatchObject({ status: 'pending', joinState: 'waiting_room', sessionId: null });
    expect(service.engine.live.size).toBe(0);

    const session = await handlers.admitted();
    const { port } = service.app.server.address() as { port: number };
    expect(session?.signalingUrl).toBe(`ws://127.0.0.1:${port}/ws?session_id=${session?.sessionId}`);
    expect(service.engine.live.get(session!.sessionId)?.config).toMatchObject({
      meeting: { displayName: 'Ada (AI)', groupCall: false },
      showAIAvatarDisclosure: true,
      personaName: 'Guide',
    });
    for (const state of ['in_call', 'media_granted', 'media_active'] as const) {
      handlers.state(state);
      await service.settled();
      expect(await service.read(id)).toMatchObject({
        status: 'active',
        joinState: state,
        sessionId: session?.sessionId,
        region: 'eu',
      });
    }
    handlers.ended({ state: 'left', reason: 'removed_by_host', message: 'The host removed the persona.' });
    await service.settled();
    expect(await service.read(id)).toMatchObject({
      status: 'ended',
      joinState: 'left',
      statusReason: 'removed_by_host',
      statusMessage: 'The host removed the persona.',
      sessionId: session?.sessionId,
    });
  });

  it.each([
    ['left', 'meeting_ended', 'ended', 'meeting_ended'],
    ['left', 'removed_by_host', 'ended', 'meeting_ended'],
    ['done', 'idle_timeout', 'ended', 'user_inactivity'],
    ['done', 'left_call', 'ended', 'max_session_length'],
    ['error', 'provider_error', 'failed', 'connection_lost'],
  ] as const)(
    'that leaves with %s, %s: the invite is %s, the session ends with %s',
    async (state, reason, status, end) => {
      const { id } = await service.invite();
      const sessionId = await service.admit(id);
      service.visitOf(id).handlers.ended({ state, reason, message: 'So it was.' });
      await service.settled();
      expect(await service.read(id)).toMatchObject({ status, joinState: state, statusReason: reason, sessionId });
      expect(service.engine.isLive(sessionId)).toBe(false);
      expect((await service.endOf(sessionId)).end_reason).toBe(end);
    },
  );

  it('that begins to leave ends its session at once, before the connection of the session is lost', async () => {
    const { id } = await service.invite();
    const sessionId = await service.admit(id);
    service.visitOf(id).handlers.leaving({ state: 'left', reason: 'removed_by_host', message: 'Out.' });
    expect((await service.endOf(sessionId)).end_reason).toBe('meeting_ended');
    expect(await service.read(id)).toMatchObject({ status: 'active' });
    service.visitOf(id).handlers.ended({ state: 'left', reason: 'removed_by_host', message: 'Out.' });
    await service.settled();
    expect(await service.read(id)).toMatchObject({ status: 'ended', statusReason: 'removed_by_host' });
  });

  it('leaves when its session is over, which keeps its own reason', async () => {
    const { id } = await service.invite();
    const sessionId = await service.admit(id);
    service.engine.end(sessionId, 1000, 'end_call');
    service.visitOf(id).handlers.ended({ state: 'left', reason: 'left_call', message: 'The session is over.' });
    await service.settled();
    expect(await service.read(id)).toMatchObject({ status: 'ended', statusReason: 'left_call' });
    expect((await service.endOf(sessionId)).end_reason).toBe('end_call');
  });

  it('whose media never reached its session has failed', async () => {
    const { id } = await service.invite();
    const sessionId = await service.admit(id);
    service.engine.end(sessionId, 30_000, 'never_connected');
    service.visitOf(id).handlers.ended({ state: 'left', reason: 'left_call', message: 'The session is over.' });
    await service.settled();
    expect(await service.read(id)).toMatchObject({ status: 'failed', joinState: 'left' });
  });

  it('leaves when the invite is cancelled, in the meeting and on the way', async () => {
    const inside = await service.invite();
    const sessionId = await service.admit(inside.id);
    const waiting = await service.invite();
    service.visitOf(waiting.id).handlers.state('waiting_room');
    for (const { id } of [inside, waiting]) {
      expect((await service.send('DELETE', `/v1/meetings/invites/${id}`)).status).toBe(204);
      await service.settled();
      expect(await service.read(id)).toMatchObject({ status: 'cancelled', joinState: 'left', statusReason: null });
      expect(service.visitOf(id).over).toBe(true);
    }
    expect((await service.endOf(sessionId)).end_reason).toBe('stopped_by_api');
    // Too late: it is let in when it is leaving.
    expect(await service.visitOf(waiting.id).handlers.admitted()).toBeNull();
    expect(service.engine.live.size).toBe(0);
  });

  it('leaves when somebody cancelled the invite through another process', async () => {
    const { id } = await service.invite();
    const sessionId = await service.admit(id);
    await service.store.db
      .updateTable('meeting_invites')
      .set({ status: 'cancelled', visit_id: null })
      .where('id', '=', id)
      .execute();
    await service.pass(5_000);
    expect(service.visitOf(id).over).toBe(true);
    expect((await service.endOf(sessionId)).end_reason).toBe('stopped_by_api');
    expect(await service.read(id)).toMatchObject({ status: 'cancelled' });
  });

  it('that cannot tell the database any more that it is there leaves, before another process comes', async () => {
    const { id } = await service.invite();
    const sessionId = await service.admit(id);
    service.queries.failing = true;
    await service.pass(40_000);
    service.queries.failing = false;
    expect(service.visitOf(id).over).toBe(true);
    expect((await service.endOf(sessionId)).end_reason).toBe('connection_lost');
    // It is in the meeting no more, and goes back.
    const before = service.meetings.visits.length;
    await service.pass(20_000);
    expect(service.meetings.visits).toHaveLength(before + 1);
    const again = await service.admit(id);
    expect(await service.read(id)).toMatchObject({ status: 'active', sessionId: again });
    service.visitOf(id).handlers.ended({ state: 'left', reason: 'meeting_ended', message: 'Over.' });
  });

  it('whose connector says things twice, late or out of order changes nothing', async () => {
    const { id } = await service.invite();
    const { handlers } = service.visitOf(id);
    await service.admit(id);
    handlers.ended({ state: 'left', reason: 'meeting_ended', message: 'The meeting is over.' });
    handlers.state('waiting_room');
    expect(await handlers.admitted()).toBeNull();
    await service.settled();
    expect(await service.read(id)).toMatchObject({ status: 'ended', joinState: 'left', statusReason: 'meeting_ended' });
    expect(service.engine.live.size).toBe(0);
  });

  it('that is out again before its session has started leaves no session behind', async () => {
    const { id } = await service.invite();
    const { handlers } = service.visitOf(id);
    const starting = handlers.admitted();
    handlers.ended({ state: 'left', reason: 'meeting_ended', message: 'The meeting is over.' });
    expect(await starting).toBeNull();
    await service.settled();
    expect(service.engine.live.size).toBe(0);
    expect(await service.read(id)).toMatchObject({ status: 'ended', statusReason: 'meeting_ended' });
  });

  it('whose persona is gone by then fails, and says why', async () => {
    const { body: persona } = await service.send('POST', '/v1/personas', { name: 'Short', avatarId: STOCK.avatar });
    const { id } = await service.invite({ personaConfig: undefined, personaId: persona.id });
    await service.send('DELETE', `/v1/personas/${persona.id}`);
    const visit = service.visitOf(id);
    expect(await visit.handlers.admitted()).toBeNull();
    visit.handlers.ended({ state: 'left', reason: 'left_call', message: 'No session.' });
    await service.settled();
    expect(await service.read(id)).toMatchObject({
      status: 'failed',
      joinState: 'error',
      statusReason: 'provider_error',
      statusMessage: expect.stringMatching(/^The session could not start: /),
    });
  });

  it('shows what it sees, to its own organization', async () => {
    const { id } = await service.invite();
    const picture = (key?: string) => service.send('GET', `/v1/meetings/invites/${id}/picture`, undefined, key);
    expect(await picture()).toMatchObject({ status: 200, headers: { 'content-type': 'image/jpeg' } });
    expect((await picture(service.otherKey)).status).toBe(404);
    await service.send('DELETE', `/v1/meetings/invites/${id}`);
    await service.settled();
    expect(await picture()).toMatchObject({ status: 404, body: { error: 'Not found' } });
  });

  it('is deleted by age with its link, but not before it is over', async () => {
    const [old, open] = [await service.invite(), await service.invite()];
    service.visitOf(old.id).handlers.ended({ state: 'error', reason: 'join_denied', message: 'No.' });
    await service.settled();
    const { store, dataDir, blobs } = service;
    const now = () => service.clock.now + 31 * 86_400_000;
    await deleteExpired({ store, dataDir, blobs, retentionDays: 30, now });
    expect((await service.send('GET', `/v1/meetings/invites/${old.id}`)).status).toBe(404);
    expect(await service.read(open.id)).toMatchObject({ status: 'pending' });
  });

  it('what the invite asked for is forgotten when it is over', async () => {
    const { id } = await service.invite({ joinAt: new Date(START + 86_400_000).toISOString() });
    const cipher = async () =>
      (
        await service.store.db
          .selectFrom('meeting_invites')
          .select('request_cipher')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).request_cipher;
    expect(await cipher()).toMatch(/^v1\./);
    await service.send('DELETE', `/v1/meetings/invites/${id}`);
    expect(await cipher()).toBe('');
  });
});
