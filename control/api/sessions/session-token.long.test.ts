import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { sessionRequests } from './testing/session-requests.ts';

describeOnBothDatabases('session tokens', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());
  const { persona, start, token } = sessionRequests(() => service);

  it('gives tokens whose claims clients can read, and that carry no configuration', async () => {
    const personaId = await persona({ systemPrompt: 'Keep this to yourself', name: 'Zoë > ~?' });
    const { body } = await token({
      personaConfig: { personaId, enableAudioPassthrough: false },
      clientLabel: 'web',
      expiresIn: 60,
      widgetConfig: { personaName: 'Zoë > ~?' },
    });
    const claims = decodeJwt(body.sessionToken);
    expect(claims).toMatchObject({
      type: 'stateful',
      accountId: service.organizationId,
      organizationId: service.organizationId,
      personaId,
      clientLabel: 'web',
      widgetConfig: { personaName: 'Zoë > ~?' },
      jti: expect.any(String),
    });
    expect(claims.exp! - claims.iat!).toBe(60);
    // What an embeddable widget does, with the browser's plain atob.
    expect(JSON.parse(atob(body.sessionToken.split('.')[1]!))).toEqual(claims);
    expect(JSON.stringify(claims)).not.toContain('Keep this');
    expect(decodeJwt((await token({ personaConfig: { avatarId: STOCK.avatar } })).body.sessionToken).type).toBe(
      'ephemeral',
    );
  });

  it('starts what the token stands for, whether its claims say everything or the rest is stored', async () => {
    const personaId = await persona();
    const plain = { personaConfig: { personaId, id: personaId, enableAudioPassthrough: false }, clientLabel: 'shop' };
    const requests = [
      plain,
      { ...plain, sessionOptions: { videoQuality: 'high' } },
      { ...plain, clientMetadata: { table: 4 } },
      { ...plain, personaConfig: { personaId, languageCode: 'de' } },
    ];
    const outcomes = [];
    for (const request of requests) {
      const { sessionToken } = (await token(request)).body;
      const { jti, stored } = decodeJwt(sessionToken);
      const row = await service.store.db
        .selectFrom('session_tokens')
        .select('id')
        .where('id', '=', String(jti))
        .executeTakeFirst();
      expect(row !== undefined).toBe(stored);
      const { sessionId } = await start({}, sessionToken);
      const { config } = service.engine.live.get(sessionId)!;
      const session = (await service.send('GET', `/v1/sessions/${sessionId}`)).body;
      outcomes.push([
        stored,
        config.personaId,
        config.videoQuality,
        config.languageCode,
        session.clientLabel,
        session.clientMetadata?.table,
      ]);
    }
    expect(outcomes).toEqual([
      [false, personaId, 'auto', null, 'shop', undefined],
      [true, personaId, 'high', null, 'shop', undefined],
      [true, personaId, 'auto', null, 'shop', 4],
      [true, personaId, 'auto', 'de', 'shop', undefined],
    ]);
  });

  it('keeps what the token stands for encrypted: inline tools may carry keys', async () => {
    const tool = {
      type: 'server',
      subtype: 'webhook',
      name: 'book',
      description: 'Books',
      url: 'https://example.com/book',
      method: 'POST',
      headers: { 'x-key': 'hush-hush' },
    };
    const { sessionToken } = (await token({ personaConfig: { avatarId: STOCK.avatar, tools: [tool] } })).body;
    const row = await service.store.db
      .selectFrom('session_tokens')
      .selectAll()
      .where('id', '=', String(decodeJwt(sessionToken).jti))
      .executeTakeFirstOrThrow();
    expect(Object.values(row).join(' ')).not.toMatch(/hush-hush|example\.com/);
    const { sessionId } = await start({}, sessionToken);
    expect(service.engine.live.get(sessionId)!.config.tools).toEqual([
      expect.objectContaining({ name: 'book', headers: { 'x-key': 'hush-hush' } }),
    ]);
  });

  it('starts from a token as often as wanted until it expires', async () => {
    const { body } = await token({ personaConfig: { personaId: await persona() }, expiresIn: 60 });
    for (const send of [
      undefined,
      {},
      { clientMetadata: { client: 'js-sdk', version: '4' }, personaConfig: { personaId: 'ignored' } },
    ]) {
      expect((await service.send('POST', '/v1/engine/session', send, body.sessionToken)).status).toBe(200);
    }
    service.clock.now += 61_000;
    expect(await service.send('POST', '/v1/engine/session', {}, body.sessionToken)).toMatchObject({
      status: 401,
      body: { error: 'Session token expired' },
    });
    service.clock.now -= 61_000;
    expect(await service.send('POST', '/v1/engine/session', {}, `${body.sessionToken.slice(0, -3)}abc`)).toMatchObject({
      status: 401,
      body: { error: 'Invalid session token' },
    });
    expect(await service.send('GET', '/v1/personas', undefined, body.sessionToken)).toMatchObject({ status: 401 });
    const legacy = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from('{"type":"LEGACY"}').toString('base64url')}.x`;
    expect((await service.send('POST', '/v1/engine/session', {}, legacy)).body.error).toBe(
      'Legacy session tokens are no longer supported',
    );
    expect((await service.send('POST', '/v1/engine/session', {}, null)).body.error).toBe('Missing or invalid API key');
    expect(await service.send('GET', '/v1/auth/session-token')).toMatchObject({
      status: 405,
      body: { error: 'Method not allowed' },
      headers: { allow: 'POST' },
    });
  });

  it.each(['saved', 'inline'])(
    'ends with its key only when the key was revoked together with its tokens (%s persona)',
    async (kind) => {
      const key = await service.keyWith(['session-tokens']);
      const { body } = await service.send(
        'POST',
        '/v1/auth/session-token',
        { personaConfig: kind === 'saved' ? { personaId: await persona() } : { avatarId: STOCK.avatar } },
        key,
      );
      const revoke = (tokens: number) =>
        service.store.db
          .updateTable('api_keys')
          .set({ revoked_at: new Date().toISOString(), tokens_revoked: tokens })
          .where('id', '=', String(decodeJwt(body.sessionToken).apiKeyId))
          .execute();
      await revoke(0);
      expect((await service.send('POST', '/v1/engine/session', {}, body.sessionToken)).status).toBe(200);
      await revoke(1);
      expect((await service.send('POST', '/v1/engine/session', {}, body.sessionToken)).status).toBe(401);
    },
  );

  it('refuses at the start what was deleted since the token was made', async () => {
    const avatar = await service.store.db.selectFrom('avatars').selectAll().executeTakeFirst();
    expect(avatar).toBeUndefined();
    const personaId = await persona();
    const { body } = await token({ personaConfig: { personaId } });
    await service.send('DELETE', `/v1/personas/${personaId}`);
    expect(await service.send('POST', '/v1/engine/session', {}, body.sessionToken)).toMatchObject({
      status: 404,
      body: { error: 'Persona not found' },
    });
  });
});
