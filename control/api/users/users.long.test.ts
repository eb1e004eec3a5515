import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteExpired } from '../../housekeeping/retention.ts';
import { scopesOfRole } from '../../access/roles.ts';
import type { UserRow } from '../../store/user-tables.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { PASSWORD, signedInUser } from '../../testing/signed-in-user.ts';
import { startTestService, type TestService } from '../../testing/service.ts';

/** A little longer than what the service trusts without another look at the database. */
const TRUSTED_MS = 2_001;

describeOnBothDatabases('users', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(() => service.close());

  const send = (method: string, url: string, body?: unknown, key: string | null = service.key) =>
    service.send(method, url, body, key);
  const signIn = (email: string, password = PASSWORD) => send('POST', '/v1/sign-ins', { email, password }, null);
  const tokenIn = (url: string): string => url.split('#/invitation/')[1]!;
  const accept = (url: string, password = PASSWORD) =>
    send('POST', '/v1/invitations/accept', { token: tokenIn(url), password }, null);

  const member = (role: UserRow['role']) => signedInUser(service, role);

  describe('invitations', () => {
    it('are links with which somebody chooses a password, once, and is signed in', async () => {
      const invited = await send('POST', '/v1/users', { email: 'Grace@Example.com', role: 'editor' });
      expect(invited).toMatchObject({
        status: 201,
        body: { email: 'grace@example.com', name: 'grace', role: 'editor', status: 'invited', isYou: false },
      });
      const { id, invitationUrl } = invited.body;
      expect(invitationUrl).toMatch(/^http:\/\/[^#]+\/#\/invitation\/[\w-]{43}$/);
      expect(await send('POST', '/v1/invitations/look-up', { token: tokenIn(invitationUrl) }, null)).toMatchObject({
        status: 200,
        body: { email: 'grace@example.com', organizationName: 'first', isFirst: true },
      });
      expect((await signIn('grace@example.com')).status).toBe(401);

      const short = await accept(invitationUrl, 'too short');
      expect(short).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('password: must have at least 12 characters') },
      });
      expect((await accept(invitationUrl, '€'.repeat(500))).body.message).toContain('at most 1024 bytes');
      const accepted = await accept(invitationUrl);
      expect(accepted.status).toBe(201);
      expect(await send('GET', '/v1/me', undefined, accepted.body.token)).toMatchObject({
        status: 200,
        body: {
          kind: 'user',
          id,
          email: 'grace@example.com',
          role: 'editor',
          scopes: scopesOfRole('editor'),
          organization: { name: 'first' },
        },
      });
      expect(await accept(invitationUrl)).toMatchObject({ status: 404, body: { error: 'Invitation not found' } });
      expect((await send('GET', `/v1/users/${id}`)).body).toMatchObject({
        status: 'active',
        invitationExpiresAt: null,
      });
    });

    it('end after seven days, and when a newer one is made', async () => {
      const { id, invitationUrl } = (await send('POST', '/v1/users', { email: 'late@example.com', role: 'viewer' }))
        .body;
      const newer = (await send('POST', `/v1/users/${id}/invitation`)).body.invitationUrl;
      expect((await accept(invitationUrl)).status).toBe(404);
      service.clock.now += 7 * 86_400_000 + 1;
      expect((await accept(newer)).status).toBe(404);
    });

    it('also give another password to somebody who forgot theirs, and end their sign-ins', async () => {
      const { id, email, token } = await member('editor');
      const { invitationUrl } = (await send('POST', `/v1/users/${id}/invitation`)).body;
      expect((await signIn(email)).status).toBe(201);
      expect((await accept(invitationUrl, 'other words of a poem')).status).toBe(201);
      expect((await send('GET', '/v1/me', undefined, token)).status).toBe(401);
      expect((await signIn(email)).status).toBe(401);
      expect((await signIn(email, 'other words of a poem')).status).toBe(201);
    });

    it('are for one e-mail once in the service, whatever the organization', async () => {
      const body = { email: 'twice@example.com', role: 'viewer' };
      expect((await send('POST', '/v1/users', body)).status).toBe(201);
      for (const key of [service.key, service.otherKey])
        expect(await send('POST', '/v1/users', { ...body, email: 'TWICE@example.com' }, key)).toMatchObject({
          status: 409,
          body: { error: 'E-mail is in use' },
        });
      for (const email of ['', 'ada', 'ada @example.com', '@', `${'a'.repeat(251)}@b.c`])
        expect((await send('POST', '/v1/users', { email, role: 'viewer' })).status, email).toBe(400);
    });
  });

  describe('who signed in', () => {
    it('is somebody whose password fits, and is told nothing else', async () => {
      const { email, id } = await member('viewer');
      expect(await signIn(email.toUpperCase())).toMatchObject({
        status: 201,
        body: { token: expect.stringMatching(/^parley_signin_[\w-]{43}$/) },
      });
      const refusal = { error: 'Wrong e-mail or password', message: expect.any(String) };
      expect(await signIn(email, 'wrong words of a poem')).toMatchObject({ status: 401, body: refusal });
      const unknown = await signIn('nobody@example.com');
      expect(unknown.body).toEqual((await signIn(email, 'wrong words of a poem')).body);
      await send('PUT', `/v1/users/${id}`, { disabled: true });
      expect((await signIn(email)).body).toEqual(unknown.body);
    });

    it('is refused after ten wrong passwords of one account, from whatever address', async () => {
      const { email } = await member('viewer');
      for (let i = 0; i < 10; i += 1) expect((await signIn(email, 'wrong')).status).toBe(401);
      expect(await signIn(email)).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } });
      expect((await signIn('somebody.else@example.com')).status).toBe(401);
    });

    it('may do what the role says, and is told who can change it', async () => {
      const [viewer, editor] = [await member('viewer'), await member('editor')];
      expect((await send('GET', '/v1/personas', undefined, viewer.token)).status).toBe(200);
      expect(await send('POST', '/v1/personas', { name: 'x' }, viewer.token)).toMatchObject({
        status: 403,
        body: { message: expect.stringMatching(/^Your role is viewer, which only reads "personas"\. An admin/) },
      });
      const persona = await send('POST', '/v1/personas', { name: 'Theirs' }, editor.token);
      expect(persona.status).toBe(201);
      for (const token of [viewer.token, editor.token])
        for (const url of ['/v1/users', '/v1/api-keys', '/v1/local-models'])
          expect((await send('GET', url, undefined, token)).status, url).toBe(403);
      const versions = await send('GET', `/v1/personas/${persona.body.id}/versions`);
      expect(versions.body.data[0].publishedBy).toEqual({ kind: 'user', name: 'editor' });
    });

    /** A search is a POST, as its question may be long, so a viewer could not search. */
    it('searches knowledge as a viewer, and adds nothing to it', async () => {
      const { token } = await member('viewer');
      const group = await send('POST', '/v1/knowledge/groups', { name: 'Hotel' });
      const url = `/v1/knowledge/groups/${group.body.id}`;
      expect(await send('POST', `${url}/search`, { query: 'breakfast' }, token)).toMatchObject({
        status: 200,
        body: [],
      });
      expect((await send('PUT', url, { name: 'Inn' }, token)).status).toBe(403);
      expect((await send('POST', '/v1/knowledge/groups', { name: 'Inn' }, token)).status).toBe(403);
    });

    it('is signed out by themselves, after 12 idle hours, and after 14 days', async () => {
      const { email, token } = await member('viewer');
      const reads = async (with_: string) => (await send('GET', '/v1/me', undefined, with_)).status;
      /** That it was used is noted beside the answer. */
      const used = async (with_: string): Promise<void> => {
        expect(await reads(with_)).toBe(200);
        const at = new Date(service.clock.now).toISOString();
        const noted = service.store.db.selectFrom('sign_ins').select('id').where('last_used_at', '=', at);
        await expect.poll(async () => (await noted.execute()).length).toBe(1);
      };
      expect((await send('DELETE', '/v1/sign-ins/current', undefined, token)).status).toBe(204);
      expect(await send('GET', '/v1/me', undefined, token)).toMatchObject({
        status: 401,
        body: { error: 'Signed out' },
      });

      const idle = (await signIn(email)).body.token;
      service.clock.now += 11 * 3_600_000;
      await used(idle);
      service.clock.now += 11 * 3_600_000;
      await used(idle);
      service.clock.now += 12 * 3_600_000 + 1;
      expect(await reads(idle)).toBe(401);

      const busy = (await signIn(email)).body.token;
      for (let hours = 0; hours < 14 * 24; hours += 8) {
        if (hours > 0) await used(busy);
        service.clock.now += 8 * 3_600_000;
      }
      expect(await reads(busy)).toBe(401);
    });

    it('changes the password with the one before, which ends the other sign-ins', async () => {
      const { email, token } = await member('editor');
      const other = (await signIn(email)).body.token;
      const change = (currentPassword: string) =>
        send('PUT', '/v1/me/password', { currentPassword, newPassword: 'other words of a poem' }, token);
      expect(await change('wrong words')).toMatchObject({
        status: 400,
        body: { details: [{ path: 'currentPassword' }] },
      });
      expect((await change(PASSWORD)).status).toBe(204);
      expect((await send('GET', '/v1/me', undefined, token)).status).toBe(200);
      expect((await send('GET', '/v1/me', undefined, other)).status).toBe(401);
      expect((await signIn(email)).status).toBe(401);
      expect(await send('PUT', '/v1/me/password', { currentPassword: 'x', newPassword: PASSWORD })).toMatchObject({
        status: 409,
        body: { error: 'Not a user' },
      });
    });
  });

  describe('an admin', () => {
    it('gives roles, disables and deletes, which holds at once', async () => {
      const admin = await member('admin');
      const { id, email, token } = await member('viewer');
      const change = (body: unknown) => send('PUT', `/v1/users/${id}`, body, admin.token);
      expect((await change({ role: 'editor', name: 'Ed' })).body).toMatchObject({ role: 'editor', name: 'Ed' });
      expect((await send('POST', '/v1/personas', { name: 'x' }, token)).status).toBe(201);
      expect((await change({ disabled: true })).body.status).toBe('disabled');
      expect((await send('GET', '/v1/me', undefined, token)).status).toBe(401);
      expect((await change({ disabled: false })).body.status).toBe('active');
      const again = (await signIn(email)).body.token;
      expect((await send('DELETE', `/v1/users/${id}`, undefined, admin.token)).status).toBe(204);
      expect((await send('GET', '/v1/me', undefined, again)).status).toBe(401);
      expect((await send('GET', `/v1/users/${id}`)).status).toBe(404);
    });

    it('does not lock themselves out', async () => {
      const admin = await member('admin');
      const own = `/v1/users/${admin.id}`;
      for (const [method, body] of [
        ['DELETE', undefined],
        ['PUT', { role: 'viewer' }],
        ['PUT', { disabled: true }],
      ] as const)
        expect(await send(method, own, body, admin.token)).toMatchObject({
          status: 409,
          body: { error: 'User is yourself' },
        });
      expect((await send('PUT', own, { name: 'Root', role: 'admin' }, admin.token)).body).toMatchObject({
        name: 'Root',
        isYou: true,
      });
    });

    /** With the scope `users` alone, a key could have invited an admin, or made a new link for one, and become that user. */
    it('is made, changed and replaced only by who may do as much', async () => {
      const admin = await member('admin');
      const key = await service.keyWith(['users', 'personas']);
      for (const [method, url, body] of [
        ['POST', '/v1/users', { email: 'x@example.com', role: 'admin' }],
        ['POST', '/v1/users', { email: 'x@example.com', role: 'viewer' }],
        ['POST', `/v1/users/${admin.id}/invitation`, undefined],
        ['PUT', `/v1/users/${admin.id}`, { disabled: true }],
        ['DELETE', `/v1/users/${admin.id}`, undefined],
      ] as const)
        expect(await send(method, url, body, key), `${method} ${url}`).toMatchObject({
          status: 403,
          body: { error: 'Role is out of reach' },
        });
      // What belongs to the whole service is nobody's by role: keys cannot get it either.
      const made = await send('POST', '/v1/api-keys', { name: 'x', scopes: ['operator'] }, admin.token);
      expect(made.status).toBe(400);
      expect((await send('POST', '/v1/api-keys', { name: 'x', scopes: ['users'] }, admin.token)).status).toBe(201);
    });
  });

  it('start sessions as keys do, until their access ends', async () => {
    const { id, token } = await member('viewer');
    const mint = async () =>
      (await send('POST', '/v1/auth/session-token', { personaConfig: { avatarId: STOCK.avatar } }, token)).body
        .sessionToken;
    const start = (sessionToken: string) => send('POST', '/v1/engine/session', undefined, sessionToken);
    const { sessionId } = (await start(await mint())).body;
    const listed = await send('GET', `/v1/sessions?userId=${id}`);
    expect(listed.body.data).toMatchObject([{ id: sessionId, userId: id, apiKeyId: null, source: 'api' }]);
    expect((await send('GET', '/v1/sessions?source=widget')).body.data).toEqual([]);
    const unused = await mint();
    await send('PUT', `/v1/users/${id}`, { disabled: true });
    expect((await start(unused)).status).toBe(401);
    await send('PUT', `/v1/users/${id}`, { disabled: false });
    expect((await start(unused)).status).toBe(200);
    await send('DELETE', `/v1/users/${id}`);
    expect((await start(unused)).status).toBe(401);
  });

  it('of another process are signed out within two seconds', async () => {
    const { id, token } = await member('viewer');
    expect((await send('GET', '/v1/personas', undefined, token)).status).toBe(200);
    await service.store.db.deleteFrom('users').where('id', '=', id).execute();
    expect((await send('GET', '/v1/personas', undefined, token)).status).toBe(200);
    service.clock.now += TRUSTED_MS;
    expect((await send('GET', '/v1/personas', undefined, token)).status).toBe(401);
  });

  it('are forgotten where they have not been for 12 hours: only sign-ins that still work are kept', async () => {
    const { store, dataDir, blobs, clock } = service;
    const { id } = await member('viewer');
    const kept = () => store.db.selectFrom('sign_ins').select('id').where('user_id', '=', id).execute();
    const sweepAfter = (hours: number) =>
      deleteExpired({ store, dataDir, blobs, retentionDays: 30, now: () => clock.now + hours * 3_600_000 });
    await sweepAfter(11);
    expect(await kept()).toHaveLength(1);
    await sweepAfter(13);
    expect(await kept()).toEqual([]);
  });

  it('leave no secret in the database, and nothing about them in the log', async () => {
    const { email, token } = await member('viewer');
    await signIn(email, 'wrong words of a poem');
    const rows = JSON.stringify([
      await service.store.db.selectFrom('users').selectAll().execute(),
      await service.store.db.selectFrom('sign_ins').selectAll().execute(),
    ]);
    expect(rows).not.toContain(PASSWORD);
    expect(rows).not.toContain(token);
    const logged = service.logged.join('\n');
    for (const secret of [PASSWORD, 'wrong words', token, email]) expect(logged).not.toContain(secret);
  });

  it('who calls with a key is told its name and scopes', async () => {
    expect((await send('GET', '/v1/me', undefined, await service.keyWith(['tools:read']))).body).toMatchObject({
      kind: 'api-key',
      name: 'test',
      role: null,
      email: null,
      scopes: ['tools:read'],
    });
    expect((await send('GET', '/v1/me', undefined, null)).status).toBe(401);
  });
});
