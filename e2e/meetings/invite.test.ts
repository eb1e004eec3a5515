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
const LEO = 'LeoAI';
/** Energy of a second of ordinary speech is about 0.01; a silent line has less than a millionth. */
const HEARD = 0.001;
/** Of the planned persona: its conversation ends while the other one goes on. */
const SHORT_SESSION_SECONDS = 20;

/** An invite with the link of a real meeting, from the first word in it to each way out of it. */
describe('an invite to a meeting', () => {
  let room: JanusRoom;
  let dataDir: string;
  let service: RunningService;
  let alice: JanusGuest;
  const start = () =>
    startService({
      dataDir,
      env: {
        PARLEY_MEETINGS: 'on',
        PARLEY_MEETING_SERVERS: `janus=${new URL(room.url).origin}`,
        PARLEY_ALLOWED_PRIVATE_HOSTS: room.hosts.join(),
      },
    });
  beforeAll(async () => {
    room = await startJanusRoom();
    dataDir = await mkdtemp(join(tmpdir(), 'parley-meetings-'));
    service = await start();
    alice = await joinAsGuest(room, 'Alice');
  });
  afterAll(async () => {
    await alice?.close();
    await service?.stop();
    await room?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function invite(name: string, config: object = {}, more: object = {}): Promise<string> {
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1');
    const personaConfig = {
      name,
      avatarId: data[0]!.id,
      systemPrompt: `You are ${name}.`,
      // Prompts would come between what is said here.
      voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0 },
      ...config,
    };
    const order = { meetingUrl: room.url, personaConfig, ...more };
    return (await service.api<Invite>('POST', '/v1/meetings/invites', order)).id;
  }
  const read = (id: string) => service.api<Invite>('GET', `/v1/meetings/invites/${id}`);
  /** @returns the id of its session. */
  async function isIn(id: string): Promise<string> {
    await expect.poll(async () => (await read(id)).joinState, { interval: 200 }).toBe('media_active');
    return (await read(id)).sessionId!;
  }
  async function isOver(id: string): Promise<Invite> {
    await expect.poll(async () => (await read(id)).status).toBe('ended');
    return read(id);
  }
  const endOf = async (sessionId: string) =>
    (await service.api<{ endReason: string | null }>('GET', `/v1/sessions/${sessionId}`)).endReason;
  const energy = async (): Promise<number> => (await alice.received(ELENA))?.audioEnergy ?? 0;

  // In every run: two people and their persona are in connector.test.ts, one without a name in group-talk.test.ts.
  const alone = 'brings a persona that answers one other person without its name, and is an ordinary session';
  it(alone, { tags: ['nightly'] }, async () => {
    const id = await invite('Elena');
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
    expect(await isOver(id)).toMatchObject({ joinState: 'left', statusReason: 'left_call', sessionId });
    expect(await service.api('GET', `/v1/sessions/${sessionId}/analytics`)).toMatchObject({
      turns: [{ firstAudioLatencySeconds: expect.any(Number) }],
    });
    expect(await endOf(sessionId)).toBe('stopped_by_api');
    await expect.poll(() => room.names()).toEqual(['Alice']);
  });

  // In every run without a browser: control/api/meetings/killed-service.long.test.ts.
  it(
    'brings the persona back, and another one at its time, though the service was killed; each once, and not for ever',
    { timeout: 6 * TEST_TIMEOUT_MS, tags: ['nightly'] },
    async () => {
      const elena = await invite('Elena');
      const first = await isIn(elena);
      const joinAt = new Date(Date.now() + 3_000).toISOString();
      const leo = await invite('Leo', { maxSessionLengthSeconds: SHORT_SESSION_SECONDS }, { joinAt });
      await service.kill();
      await expect.poll(() => room.names()).toEqual(['Alice']);

      service = await start();
      await expect.poll(async () => (await room.names()).toSorted()).toEqual(['Alice', ELENA, LEO]);
      const second = await isIn(elena);
      expect(second).not.toBe(first);
      expect(await endOf(first)).toBe('engine_error');

      const { sessionId } = await isOver(leo);
      await expect.poll(() => endOf(sessionId!)).toBe('max_session_length');
      await expect.poll(async () => (await room.names()).toSorted()).toEqual(['Alice', ELENA]);
      await room.destroy();
      expect(await isOver(elena)).toMatchObject({ joinState: 'left', statusReason: 'meeting_ended' });
      await expect.poll(() => endOf(second)).toBe('meeting_ended');
    },
  );
});
