import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_TIMEOUT_MS } from '../../engine/testing/test-timeout.ts';
import { joinAsGuest, type JanusGuest } from '../support/janus-guest.ts';
import { type JanusRoom, startJanusRoom } from '../support/janus-room.ts';
import { type RunningService, startService } from '../support/service.ts';
import { spokenWav } from '../support/spoken-wav.ts';

interface Invite {
  readonly id: string;
  readonly status: string;
  readonly joinState: string | null;
  readonly statusReason: string | null;
  readonly sessionId: string | null;
}

/** What Janus, whose names have only letters and digits, makes of "Elena (AI)". */
const ELENA = 'ElenaAI';
/** Energy of a second of ordinary speech is about 0.01; a silent line has less than a millionth. */
const HEARD = 0.001;
/** Two minutes alone, or a minute at most in the meeting. */
const LEAVES_WITHIN = { timeout: 120_000 + TEST_TIMEOUT_MS, interval: 500 };

function environment(...rooms: JanusRoom[]): Record<string, string> {
  return {
    PARLEY_MEETINGS: 'on',
    PARLEY_MEETING_SERVERS: rooms.map(({ url }) => `janus=${new URL(url).origin}`).join(),
    PARLEY_ALLOWED_PRIVATE_HOSTS: rooms.flatMap(({ hosts }) => hosts).join(),
  };
}

const invitesOf = (service: () => RunningService) => ({
  read: (id: string) => service().api<Invite>('GET', `/v1/meetings/invites/${id}`),
  async invite(room: JanusRoom, name: string, more: object = {}): Promise<string> {
    const { data } = await service().api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1');
    const personaConfig = { name, avatarId: data[0]!.id, systemPrompt: `You are ${name}.` };
    const order = { meetingUrl: room.url, personaConfig, ...more };
    return (await service().api<Invite>('POST', '/v1/meetings/invites', order)).id;
  },
  /** @returns the id of its session. */
  async isIn(id: string): Promise<string> {
    const read = () => service().api<Invite>('GET', `/v1/meetings/invites/${id}`);
    await expect.poll(async () => (await read()).joinState, { interval: 200 }).toBe('media_active');
    return (await read()).sessionId!;
  },
  endOf: async (sessionId: string) =>
    (await service().api<{ endReason: string | null }>('GET', `/v1/sessions/${sessionId}`)).endReason,
});

/** An invite with the link of a real meeting, from the first word in it to each way out of it. */
describe('an invite to a meeting', () => {
  let room: JanusRoom;
  /** Nobody else ever comes here. */
  let empty: JanusRoom;
  let service: RunningService;
  let alice: JanusGuest;
  let alone: string;
  const { invite, isIn, read, endOf } = invitesOf(() => service);
  beforeAll(async () => {
    [room, empty] = await Promise.all([startJanusRoom(), startJanusRoom()]);
    service = await startService({ env: environment(room, empty) });
    alone = await invite(empty, 'Ada');
    alice = await joinAsGuest(room, 'Alice');
  });
  afterAll(async () => {
    await alice?.close();
    await service?.stop();
    await Promise.all([room?.close(), empty?.close()]);
  });
  const energy = async (): Promise<number> => (await alice.received(ELENA))?.audioEnergy ?? 0;

  it('brings a persona that answers one other person without its name, and is an ordinary session', async () => {
    const id = await invite(room, 'Elena');
    const sessionId = await isIn(id);
    await expect.poll(() => alice.names()).toContain(ELENA);
    await expect.poll(async () => (await alice.received(ELENA))?.framesDecoded ?? 0).toBeGreaterThan(25);
    const before = await energy();
    await alice.say(await spokenWav('What is your name?'));
    const saidAt = performance.now();
    await expect.poll(async () => (await energy()) - before, { interval: 30 }).toBeGreaterThan(HEARD);
    console.log(`heard ${Math.round(performance.now() - saidAt)} ms after the end of the question`);

    const rows = async () =>
      (
        await service.api<{ messages: { role: string; speakerName?: string }[] }>(
          'GET',
          `/v1/sessions/${sessionId}/transcript`,
        )
      ).messages.map(({ role, speakerName }) => [role, speakerName]);
    await expect.poll(rows).toEqual([
      ['user', 'Alice'],
      ['persona', undefined],
    ]);
    await service.api('POST', `/v1/sessions/${sessionId}/stop`);
    await expect.poll(async () => (await read(id)).status).toBe('ended');
    expect(await service.api('GET', `/v1/sessions/${sessionId}/analytics`)).toMatchObject({
      turns: [{ firstAudioLatencySeconds: expect.any(Number) }],
    });
    expect(await read(id)).toMatchObject({ joinState: 'left', statusReason: 'left_call', sessionId });
    expect(await endOf(sessionId)).toBe('stopped_by_api');
    await expect.poll(() => room.names()).toEqual(['Alice']);
  });

  it('is over when the meeting is', async () => {
    const id = await invite(room, 'Elena');
    const sessionId = await isIn(id);
    await room.destroy();
    await expect.poll(async () => (await read(id)).status).toBe('ended');
    expect(await read(id)).toMatchObject({ joinState: 'left', statusReason: 'meeting_ended' });
    await expect.poll(() => endOf(sessionId)).toBe('meeting_ended');
  });

  it(
    'is over when nobody else was there for two minutes',
    { timeout: LEAVES_WITHIN.timeout + TEST_TIMEOUT_MS },
    async () => {
      await expect.poll(async () => (await read(alone)).status, LEAVES_WITHIN).toBe('ended');
      const { joinState, statusReason, sessionId } = await read(alone);
      expect([joinState, statusReason]).toEqual(['done', 'idle_timeout']);
      await expect.poll(() => endOf(sessionId!)).toBe('user_inactivity');
      expect(await empty.names()).toEqual([]);
    },
  );
});

describe('invites of a service that stops', () => {
  let room: JanusRoom;
  let dataDir: string;
  let service: RunningService;
  let alice: JanusGuest;
  const { invite, isIn, read, endOf } = invitesOf(() => service);
  const start = () => startService({ dataDir, env: { ...environment(room), PARLEY_MAX_MEETING_MINUTES: '1' } });
  beforeAll(async () => {
    room = await startJanusRoom();
    dataDir = await mkdtemp(join(tmpdir(), 'parley-meetings-stop-'));
    service = await start();
    alice = await joinAsGuest(room, 'Alice');
  });
  afterAll(async () => {
    await alice?.close();
    await service?.stop();
    await room?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it(
    'bring the persona back, and others at their time, though it was killed; each once, and not for ever',
    { timeout: 6 * TEST_TIMEOUT_MS },
    async () => {
      const elena = await invite(room, 'Elena');
      const first = await isIn(elena);
      const later = await invite(room, 'Leo', { joinAt: new Date(Date.now() + 3_000).toISOString() });
      await service.kill();
      await expect.poll(() => room.names()).toEqual(['Alice']);

      service = await start();
      const second = await isIn(elena);
      expect(second).not.toBe(first);
      expect(await endOf(first)).toBe('engine_error');
      const ofLeo = await isIn(later);
      expect((await room.names()).toSorted()).toEqual(['Alice', ELENA, 'LeoAI']);

      await expect.poll(async () => (await read(elena)).status, LEAVES_WITHIN).toBe('ended');
      expect(await read(elena)).toMatchObject({ joinState: 'done', sessionId: second });
      await expect.poll(() => endOf(second)).toBe('max_session_length');
      await expect.poll(async () => (await read(later)).status, LEAVES_WITHIN).toBe('ended');
      expect(await endOf(ofLeo)).toBe('max_session_length');
    },
  );
});
