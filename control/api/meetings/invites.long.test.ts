import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FakeMeetings } from '../../testing/fake-meetings.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';

describeOnBothDatabases('meeting invites', (stores) => {
  let service: TestService;
  let bare: TestService;
  let personaId: string;
  beforeAll(async () => {
    service = await startTestService(await stores.open(), { ports: { meetings: new FakeMeetings() } });
    bare = await startTestService(await stores.open());
    personaId = (
      await service.send('POST', '/v1/personas', { name: 'Guide', avatarId: STOCK.avatar, voiceId: STOCK.voice })
    ).body.id;
  });
  afterAll(async () => {
    await service.close();
    await bare.close();
  });

  it('invites a persona to a meeting, and takes it back', async () => {
    const made = await service.send('POST', '/v1/meetings/invites', {
      meetingUrl: 'meet.google.com/abc-defg-hij',
      personaId,
      region: 'eu',
      joinAt: new Date(service.clock.now + 3_600_000).toISOString(),
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      provider: 'google_meet',
      meetingUrl: 'https://meet.google.com/abc-defg-hij',
      displayName: 'Guide (AI)',
      status: 'pending',
      createdAt: expect.any(String),
      joinAt: new Date(service.clock.now + 3_600_000).toISOString(),
      groupCall: true,
      sessionId: null,
      region: 'eu',
      joinState: null,
      statusReason: null,
      statusMessage: null,
    });
    expect(made.headers).toMatchObject({
      'ratelimit-limit': '10',
      'ratelimit-remaining': expect.any(String),
      'ratelimit-reset': expect.any(String),
      'x-ratelimit-org-hour-limit': '30',
      'x-ratelimit-org-hour-remaining': '29',
    });
    const { id } = made.body;
    expect((await service.send('GET', '/v1/meetings/invites?status=pending')).body.data).toMatchObject([{ id }]);
    expect((await service.send('GET', '/v1/meetings/invites?status=odd')).status).toBe(400);
    for (let i = 0; i < 2; i += 1)
      expect((await service.send('DELETE', `/v1/meetings/invites/${id}`)).status).toBe(204);
    expect((await service.send('GET', `/v1/meetings/invites/${id}`)).body.status).toBe('cancelled');
    expect(await service.send('GET', `/v1/meetings/invites/${randomUUID()}`)).toMatchObject({
      status: 404,
      body: { error: 'Not found' },
    });
    const inline = await service.send('POST', '/v1/meetings/invites', {
      meetingUrl: 'https://us02web.zoom.us/j/123?pwd=x',
      displayName: 'Bot (AI)',
      groupCall: false,
      personaConfig: { avatarId: STOCK.avatar, voiceId: STOCK.voice },
    });
    expect(inline.body).toMatchObject({ provider: 'zoom', displayName: 'Bot (AI)', groupCall: false, joinAt: null });
  });

  it('keeps what an invite asks for encrypted: its tools may carry keys', async () => {
    const tool = {
      type: 'server',
      subtype: 'webhook',
      name: 'book',
      description: 'Books',
      url: 'https://example.com/book',
      method: 'POST',
      headers: { 'x-key': 'hush-hush' },
    };
    const { body } = await service.send('POST', '/v1/meetings/invites', {
      meetingUrl: 'zoom.us/j/7',
      personaConfig: { avatarId: STOCK.avatar, tools: [tool] },
    });
    const row = await service.store.db
      .selectFrom('meeting_invites')
      .selectAll()
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow();
    expect(row.request_cipher).toMatch(/^v1\./);
    expect(JSON.stringify(row)).not.toContain('hush-hush');
  });

  it('refuses invites in the words of the contract', async () => {
    const refused = async (body: unknown) => {
      const {
        status,
        body: answer,
        headers,
      } = await service.send(
        'POST',
        '/v1/meetings/invites',
        body,
        await service.keyWith(['meetings'], `org-${randomUUID()}`),
      );
      return { status, error: answer.error, path: answer.details?.[0]?.path, retry: headers['retry-after'] };
    };
    const meetingUrl = 'https://teams.microsoft.com/l/meetup-join/x';
    const own = { personaConfig: { avatarId: STOCK.avatar, voiceId: STOCK.voice } };
    expect(await refused({ ...own })).toMatchObject({ status: 400, error: 'Invalid request body', path: 'meetingUrl' });
    expect(await refused('{')).toMatchObject({ status: 400, error: 'Invalid request body' });
    for (const url of [
      'https://example.com/meet',
      'https://evilzoom.us/j/1',
      'https://meet.google.com/',
      'ftp://zoom.us/j/1',
    ])
      expect(await refused({ meetingUrl: url, ...own }), url).toMatchObject({
        status: 400,
        error: 'Only Google Meet, Zoom, and Microsoft Teams URLs are supported',
      });
    expect(await refused({ meetingUrl, ...own, joinAt: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 400,
      error: 'joinAt must be in the future',
    });
    expect(
      await refused({ meetingUrl, ...own, joinAt: new Date(service.clock.now + 8 * 86_400_000).toISOString() }),
    ).toMatchObject({ status: 400, path: 'joinAt' });
    expect(await refused({ meetingUrl })).toMatchObject({ status: 400, error: 'Validation error', path: 'personaId' });
    expect(await refused({ meetingUrl, personaId, ...own })).toMatchObject({
      status: 400,
      error: 'Validation error',
      path: 'personaId',
    });
    expect(await refused({ meetingUrl, personaConfig: { personaId } })).toMatchObject({
      status: 400,
      path: 'personaConfig.personaId',
    });
    expect(await refused({ meetingUrl, ...own, regionPolicy: 'strict' })).toMatchObject({
      status: 400,
      path: 'region',
    });
    expect(await refused({ meetingUrl, personaId })).toMatchObject({ status: 403, error: 'Forbidden' });
    expect(await refused({ meetingUrl: 'https://jitsi.internal/room', ...own })).toMatchObject({
      status: 422,
      error: 'Meeting request was rejected',
    });
    expect(await refused({ meetingUrl, ...own, region: 'us-east', regionPolicy: 'strict' })).toMatchObject({
      status: 503,
      error: 'Meeting service is at capacity, please try again shortly',
    });
  });

  it('answers an unexpected failure in the words of the contract', async () => {
    const broken = await startTestService(await stores.open(), { ports: { meetings: new FakeMeetings() } });
    await broken.store.db.schema.alterTable('meeting_invites').renameTo('elsewhere').execute();
    const body = { meetingUrl: 'zoom.us/j/1', personaConfig: { avatarId: STOCK.avatar } };
    expect(await broken.send('POST', '/v1/meetings/invites', body)).toMatchObject({
      status: 500,
      body: { error: 'Failed to process meeting invite', message: 'Something went wrong on our side.' },
    });
    await broken.close();
  });

  it('appends " (AI)" once, however it is written', async () => {
    const name = async (displayName: string) =>
      (
        await service.send(
          'POST',
          '/v1/meetings/invites',
          { meetingUrl: 'zoom.us/j/1', displayName, joinAt: soon(), personaConfig: { avatarId: STOCK.avatar } },
          await service.keyWith(['meetings'], `org-${randomUUID()}`),
        )
      ).body.displayName;
    const soon = () => new Date(service.clock.now + 60_000).toISOString();
    expect(await name('Ada')).toBe('Ada (AI)');
    expect(await name('Ada (AI)')).toBe('Ada (AI)');
    expect(await name('Ada (ai) ')).toBe('Ada (AI)');
    expect(await name('Ada(AI)')).toBe('Ada (AI)');
  });

  it('tells whose meetings can be joined', async () => {
    const { body } = await service.send('GET', '/v1/meetings/providers');
    expect(body).toMatchObject({ enabled: true, message: null });
    expect(body.data[0]).toEqual({
      id: 'google_meet',
      name: 'Google Meet',
      tried: 'never',
      note: 'Not tried.',
      conditions: ['Guests may ask.'],
    });
    expect((await bare.send('GET', '/v1/meetings/providers')).body).toEqual({
      enabled: false,
      message: 'Chromium is not installed.',
      data: [],
    });
  });

  it('limits invites per minute', async () => {
    const key = await service.keyWith(['meetings'], 'eager');
    const invite = () =>
      service.send(
        'POST',
        '/v1/meetings/invites',
        { meetingUrl: 'zoom.us/j/1', personaConfig: { avatarId: STOCK.avatar } },
        key,
      );
    const answers = [];
    for (let i = 0; i < 11; i += 1) answers.push(await invite());
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
    expect(answers[10]).toMatchObject({
      body: { error: 'Too many requests' },
      headers: { 'ratelimit-remaining': '0', 'x-ratelimit-org-hour-remaining': '19' },
    });
  });

  it('says that meetings are not enabled where there is no connector', async () => {
    const own = { personaConfig: { avatarId: STOCK.avatar } };
    expect(await bare.send('POST', '/v1/meetings/invites', { meetingUrl: 'zoom.us/j/1', ...own })).toMatchObject({
      status: 503,
      body: {
        error: 'Meeting invites are not enabled for this organization',
        message: 'Chromium is not installed.',
      },
    });
    expect((await bare.send('POST', '/v1/meetings/invites', { meetingUrl: 'example.com', ...own })).status).toBe(400);
    expect((await bare.send('GET', '/v1/meetings/invites')).body).toMatchObject({ data: [], meta: { total: 0 } });
  });
});
