import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { SimulatedClock } from 'xstate';
import { masterKeys } from '../../access/master-key.ts';
import { openVault } from '../../access/vault.ts';
import { EmbeddedJobQueue } from '../../jobs/embedded-job-queue.ts';
import { claimsInMemory } from '../../store/claims.ts';
import { fakePorts } from '../../testing/fake-ports.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { openEventSender } from './event-sender.ts';
import { Receiver } from './testing/receiver.ts';

const MASTER_KEY = 'a master key for tests';
const MINUTE = 60_000;

describeOnBothDatabases('webhooks', (stores) => {
  let service: TestService;
  let receiver: Receiver;
  beforeAll(async () => {
    service = await startTestService(await stores.open(), {
      settings: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
    });
    receiver = new Receiver();
    await receiver.open();
  });
  afterAll(async () => {
    await receiver.goAway();
    await service.close();
  });

  const post = (url: string, body: unknown = {}) => service.send('POST', url, body);
  async function addWebhook(change: object = {}): Promise<{ id: string; secret: string }> {
    const eventTypes = ['session.started', 'session.ended', 'transcript.ready', 'recording.ready', 'tool.failed'];
    const added = await post('/v1/webhooks', { url: receiver.url, eventTypes, ...change });
    expect(added.status, added.text).toBe(201);
    onTestFinished(async () => void (await service.send('DELETE', `/v1/webhooks/${added.body.id}`)));
    return added.body;
  }
  async function startSession(personaConfig: object = { avatarId: STOCK.avatar }): Promise<string> {
    const started = await post('/v1/engine/session', { personaConfig });
    expect(started.status, started.text).toBe(200);
    return started.body.sessionId;
  }
  async function deliveriesOf(id: string) {
    await service.sessions.flush();
    const listed = await service.send('GET', `/v1/webhooks/${id}/deliveries?perPage=100`);
    expect(listed.status, listed.text).toBe(200);
    return listed.body.data as {
      eventId: string;
      status: string;
      attempts: number;
      event: { type: string; data: object };
    }[];
  }
  const typesOf = async (id: string) => (await deliveriesOf(id)).map(({ event }) => event.type).toSorted();
  const say = (sessionId: string) =>
    service.engine.report(sessionId, {
      kind: 'message',
      message: { messageId: 'm1', role: 'user', text: 'secret words', at: 5, speakingMs: null, interrupted: false },
    });
  const failedCall = {
    kind: 'toolCall',
    call: {
      turnIndex: 1,
      correlationId: 'c',
      callId: 'call-1',
      toolName: 'find_order',
      toolType: 'server',
      toolSubtype: 'webhook',
      status: 'failed',
      startedAt: 10,
      completedAt: 20,
      errorMessage: 'secret words',
      arguments: { secret: 'words' },
      result: null,
      documentsAccessed: null,
    },
  } as const;

  /** The sender on a simulated clock, which begins now. */
  function openSender(from = service.clock.now) {
    const clock = new SimulatedClock();
    const log = pino({ level: 'silent' });
    const jobs = new EmbeddedJobQueue({ timers: clock, log });
    let armed: () => void = () => {};
    const timers = {
      now: () => clock.now(),
      setTimeout: (fn: () => void, ms: number) => {
        armed();
        return clock.setTimeout(fn, ms);
      },
      clearTimeout: (id: unknown) => clock.clearTimeout(id as number),
    };
    const looked = (): Promise<void> => new Promise((resolve) => (armed = resolve));
    const first = looked();
    const sender = openEventSender({
      store: service.store,
      vault: openVault(masterKeys([MASTER_KEY]).derive('secrets')),
      post: fakePorts(['127.0.0.1']).postEvent,
      jobs,
      claims: claimsInMemory(),
      timers,
      now: () => from + clock.now(),
      log,
    });
    return {
      /** Passes this time, ms, in steps, with all that is sent meanwhile. */
      async pass(ms: number, step = 1_000): Promise<void> {
        await first;
        for (let passed = 0; passed < ms; passed += step) {
          const again = looked();
          clock.increment(step);
          await again;
          await jobs.idle('webhook');
        }
      },
      async close() {
        await sender.close();
        await jobs.close();
      },
    };
  }

  it('are told what happened in a session, without its words, and each event once', async () => {
    const { id } = await addWebhook();
    const sessionId = await startSession();
    say(sessionId);
    service.engine.report(sessionId, failedCall);
    service.engine.sink!.entryAgain(sessionId, failedCall);
    service.engine.end(sessionId, 1_000);
    const told = await deliveriesOf(id);
    expect(told.map(({ event }) => event.type).toSorted()).toEqual([
      'session.ended',
      'session.started',
      'tool.failed',
      'transcript.ready',
    ]);
    expect(told.every(({ event }) => (event.data as { sessionId: string }).sessionId === sessionId)).toBe(true);
    expect(told.find(({ event }) => event.type === 'session.ended')!.event.data).toMatchObject({
      endReason: 'stopped_by_api',
      exitStatus: 'CLOSED_BY_ENGINE',
    });
    expect(JSON.stringify(told)).not.toContain('words');
  });

  it('are told of no transcript that is not kept, or in which nothing was said', async () => {
    const { id } = await addWebhook();
    service.engine.end(await startSession(), 1_000);
    expect(await typesOf(id)).toEqual(['session.ended', 'session.started']);
  });

  it('hear only of the events, personas and organization that they have chosen', async () => {
    const [one, other] = await Promise.all(
      ['One', 'Other'].map(async (name) => (await post('/v1/personas', { name, avatarId: STOCK.avatar })).body.id),
    );
    const ofOne = await addWebhook({ personaIds: [one] });
    const onlyEnds = await addWebhook({ eventTypes: ['session.ended'] });
    const off = await addWebhook({ enabled: false });
    const foreign = await service.send(
      'POST',
      '/v1/webhooks',
      { url: receiver.url, eventTypes: ['session.ended'] },
      service.otherKey,
    );
    for (const personaId of [one, other]) service.engine.end(await startSession({ personaId }), 1_000);
    service.engine.end(await startSession(), 1_000);
    expect(await typesOf(ofOne.id)).toEqual(['session.ended', 'session.started']);
    expect(await typesOf(onlyEnds.id)).toEqual(['session.ended', 'session.ended', 'session.ended']);
    expect(await typesOf(off.id)).toEqual([]);
    const url = `/v1/webhooks/${foreign.body.id}/deliveries`;
    expect((await service.send('GET', url, undefined, service.otherKey)).body.data).toEqual([]);
    expect((await service.send('GET', url)).status).toBe(404);
  });

  it('whose receiver is down for an hour get every event exactly once when it is back', async () => {
    const { id, secret } = await addWebhook({ eventTypes: ['session.started', 'session.ended'] });
    await receiver.goAway();
    receiver.received.length = 0;
    const sender = openSender();
    for (let index = 0; index < 30; index += 1) service.engine.end(await startSession(), 1_000);
    await service.sessions.flush();
    await sender.pass(60 * MINUTE, MINUTE / 2);
    expect(receiver.received).toEqual([]);
    const waiting = await service.send('GET', `/v1/webhooks/${id}`);
    expect(waiting.body).toMatchObject({ pendingCount: 60, failingSince: expect.any(String) });
    await receiver.open();
    await sender.pass(6 * MINUTE, MINUTE / 6);
    expect(
      (await deliveriesOf(id)).filter(({ status }) => status !== 'delivered').map(({ attempts }) => attempts),
    ).toEqual([]);
    const ids = receiver.received.map((event) => event.id);
    expect(new Set(ids).size).toBe(60);
    expect(ids).toHaveLength(60);
    for (const { id: eventId, timestamp, signature, body } of receiver.received)
      expect(new Webhook(secret).sign(eventId, new Date(Number(timestamp) * 1000), body)).toBe(signature);
    await sender.close();
  });

  /** Seventeen of them took all that was there for everybody, for two minutes at a time. */
  it('of others do not wait for an organization whose receivers take an event and never answer', async () => {
    const never = createServer(() => {});
    await new Promise<void>((listening) => never.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(never.address() as AddressInfo).port}/`;
    for (let index = 0; index < 17; index += 1) await addWebhook({ url, eventTypes: ['session.started'] });
    await startSession();
    const eventTypes = ['session.started'];
    const other = { url: receiver.url, eventTypes };
    const { body } = await service.send('POST', '/v1/webhooks', other, service.otherKey);
    receiver.received.length = 0;
    await service.send('POST', `/v1/webhooks/${body.id}/test`, {}, service.otherKey);
    await service.sessions.flush();
    const sender = openSender();
    await expect.poll(() => receiver.received.length).toBe(1);
    never.closeAllConnections();
    never.close();
    await sender.close();
    await service.send('DELETE', `/v1/webhooks/${body.id}`, undefined, service.otherKey);
  });

  it('that refuse one event get the others, and it is given up after a day', async () => {
    const { id } = await addWebhook({ eventTypes: ['session.ended'] });
    const sender = openSender();
    receiver.status = 500;
    service.engine.end(await startSession(), 1_000);
    await service.sessions.flush();
    await sender.pass(2_000);
    receiver.status = 204;
    service.engine.end(await startSession(), 1_000);
    await service.sessions.flush();
    await sender.pass(1_000);
    expect((await deliveriesOf(id)).map(({ status }) => status).toSorted()).toEqual(['delivered', 'pending']);
    await sender.close();
    const before = service.clock.now;
    service.clock.now += 25 * 60 * MINUTE;
    onTestFinished(() => void (service.clock.now = before));
    const late = openSender();
    await late.pass(1_000);
    const failed = (await deliveriesOf(id)).find(({ status }) => status === 'failed')!;
    expect(failed).toMatchObject({ attempts: 1, lastStatus: 500 });
    expect((await post(`/v1/webhooks/${id}/deliveries/${failed.eventId}/resend`)).status).toBe(202);
    await late.pass(1_000);
    expect((await deliveriesOf(id)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
    await late.close();
  });

  it('are sent again what was not noted when the process ended', async () => {
    const { id } = await addWebhook({ eventTypes: ['session.ended'] });
    for (let index = 0; index < 5; index += 1) service.engine.end(await startSession(), 1_000);
    await service.sessions.flush();
    receiver.received.length = 0;
    const stopped = openSender();
    await stopped.close();
    const next = openSender();
    await next.pass(2_000);
    await next.close();
    expect(new Set(receiver.received.map((event) => event.id)).size).toBe(5);
    expect((await deliveriesOf(id)).every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('get a test event, and for a day after a new secret two signatures', async () => {
    const { id, secret } = await addWebhook({ eventTypes: ['session.ended'] });
    const renewed = await post(`/v1/webhooks/${id}/secret`);
    expect(renewed.body.secret).not.toBe(secret);
    receiver.received.length = 0;
    const { eventId } = (await post(`/v1/webhooks/${id}/test`)).body;
    const sender = openSender();
    await sender.pass(1_000);
    await sender.close();
    const [event] = receiver.received;
    expect(event).toMatchObject({ id: eventId, body: expect.stringContaining('"webhook.test"') });
    const headers = {
      'webhook-id': event!.id,
      'webhook-timestamp': event!.timestamp,
      'webhook-signature': event!.signature,
    };
    for (const known of [secret, renewed.body.secret])
      expect(new Webhook(known).verify(event!.body, headers)).toMatchObject({ data: { webhookId: id } });
    expect(() => new Webhook('whsec_SGVyZSBhcmUgdGhpcnR5').verify(event!.body, headers)).toThrow();
  });

  it('are switched off when their receiver says that it is gone', async () => {
    const { id } = await addWebhook({ eventTypes: ['session.ended'] });
    receiver.status = 410;
    await post(`/v1/webhooks/${id}/test`);
    const sender = openSender();
    await sender.pass(1_000);
    await sender.close();
    receiver.status = 204;
    expect((await service.send('GET', `/v1/webhooks/${id}`)).body.enabled).toBe(false);
    expect((await deliveriesOf(id))[0]).toMatchObject({ status: 'failed' });
  });

  it('must be public, need their scope, and never show the secret again', async () => {
    const add = (url: string, key?: string) =>
      service.send('POST', '/v1/webhooks', { url, eventTypes: ['session.ended'] }, key);
    expect((await add('http://10.0.0.1/x')).body.details[0].path).toBe('url');
    expect((await add(receiver.url, await service.keyWith(['sessions']))).status).toBe(403);
    const { id, secret } = await addWebhook();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    for (const url of ['/v1/webhooks', `/v1/webhooks/${id}`])
      expect((await service.send('GET', url)).text).not.toContain('whsec_');
    const stored = await service.store.db.selectFrom('webhooks').selectAll().where('id', '=', id).execute();
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6));
  });
});
