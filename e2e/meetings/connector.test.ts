import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DISCLOSURE_TEXT } from '../../engine/face/disclosure-text.ts';
import { wavFile } from '../../models/stt/wav.ts';
import { spoken } from '../../models/testing/sounds.ts';
import { type Recording, recordings } from '../../models/testing/speech/recordings.ts';
import { joinAsGuest, type JanusGuest } from '../support/janus-guest.ts';
import { type JanusRoom, startJanusRoom } from '../support/janus-room.ts';
import { startKnownRecordingsStt, type KnownRecordingsStt } from '../support/known-recordings-stt.ts';
import { labelCorrelation, type LumaImage } from '../support/visible-disclosure.ts';
import { startService, type RunningService } from '../support/service.ts';

interface Invite {
  readonly id: string;
  readonly status: string;
  readonly joinState: string | null;
  readonly statusReason: string | null;
  readonly statusMessage: string | null;
  readonly sessionId: string | null;
}

interface TranscriptRow {
  readonly role: string;
  readonly message: string;
  readonly speakerName?: string;
}

/** What Janus makes of "Elena (AI)". */
const PERSONA = 'ElenaAI';
/**
 * Frames that a guest decodes before its picture counts as moving. Their rate, aim 20 a second, is in `bench/meetings`.
 */
const MOVING_FRAMES = 50;
const LOOK_MS = 100;
/** Energy of a second of ordinary speech is about 0.01; a silent line has less than a millionth. */
const HEARD = 0.002;

/** Frames in which the label is looked for, in each situation. */
const LOOKED_AT = 5;
/** Normalized correlation from which the label is there. Frames that guests decode are above it, upside down below. */
const LABELED = 0.8;

const [calm, question] = sentences();

/** A sentence of somebody else's that names nobody, and one that names the persona. */
function sentences(): [Recording, Recording] {
  const pcm = spoken('Elena, what do you think about it?', 'awb');
  const words = 'elena what do you think about it';
  const phrases = [{ words, fromMs: 200, toMs: (pcm.length / 16_000) * 1000 - 200 }];
  return [
    recordings().find(({ name }) => name === 'librivox-0880')!,
    { name: 'question', words, pcm, phrases, breaksMs: [], ending: 'finished' },
  ];
}

/** A real meeting server with its own page, two people in it, and the real service that is asked to come. */
describe('A persona in a meeting', () => {
  let room: JanusRoom;
  let service: RunningService;
  let stt: KnownRecordingsStt;
  let alice: JanusGuest;
  let bob: JanusGuest;
  let personaId: string;
  let temporary: string;
  beforeAll(async () => {
    room = await startJanusRoom();
    stt = await startKnownRecordingsStt([calm, question]);
    // Its own temporary folder shows what a visit leaves there.
    temporary = await mkdtemp(join(tmpdir(), 'parley-m-'));
    await chmod(temporary, 0o711);
    service = await startService({
      env: {
        TMPDIR: temporary,
        PARLEY_MEETINGS: 'on',
        PARLEY_MEETING_SERVERS: `janus=${new URL(room.url).origin}`,
        PARLEY_ALLOWED_PRIVATE_HOSTS: room.hosts.join(','),
        PARLEY_STT_PROVIDER: 'openai',
        PARLEY_STT_BASE_URL: stt.url,
      },
    });
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
    const persona = await service.api<{ id: string }>('POST', '/v1/personas', {
      name: 'Elena',
      avatarId: data[0]!.id,
      systemPrompt: 'You are Elena.',
    });
    personaId = persona.id;
    [alice, bob] = await Promise.all([joinAsGuest(room, 'Alice'), joinAsGuest(room, 'Bob')]);
  });
  afterAll(async () => {
    await Promise.all([alice?.close(), bob?.close()]);
    await service?.stop();
    await stt?.close();
    await room?.close();
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  });

  let current: Invite | null = null;
  afterEach(async () => {
    if (current !== null) await service.api('DELETE', `/v1/meetings/invites/${current.id}`);
    current = null;
  });

  const read = async (): Promise<Invite> => service.api<Invite>('GET', `/v1/meetings/invites/${current!.id}`);

  async function invite(body: object = {}): Promise<void> {
    current = await service.api<Invite>('POST', '/v1/meetings/invites', { meetingUrl: room.url, personaId, ...body });
    for (;;) {
      current = await read();
      if (current.joinState === 'media_active' && current.sessionId !== null) return;
      if (current.statusMessage !== null) throw new Error(current.statusMessage);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  const transcript = async (): Promise<TranscriptRow[]> =>
    (await service.api<{ messages: TranscriptRow[] }>('GET', `/v1/sessions/${current!.sessionId}/transcript`)).messages;

  async function energy(guest: JanusGuest): Promise<number> {
    return (await guest.received(PERSONA))?.audioEnergy ?? 0;
  }

  /** Looks at frames that follow each other, as both guests decode them. */
  async function expectLabel(): Promise<void> {
    for (let frame = 0; frame < LOOKED_AT; frame += 1)
      for (const guest of [alice, bob]) {
        const before = (await guest.received(PERSONA))!.framesDecoded;
        await expect.poll(async () => (await guest.received(PERSONA))!.framesDecoded).toBeGreaterThan(before);
        const picture = await guest.picture(PERSONA);
        expect(labelCorrelation(DISCLOSURE_TEXT, picture)).toBeGreaterThan(LABELED);
        // The same frame, with the label taken out and put where nobody looks for it.
        expect(labelCorrelation(DISCLOSURE_TEXT, upsideDown(picture))).toBeLessThan(LABELED);
      }
  }

  /** Prints how many frames a second the guest decodes. */
  async function watch(guest: JanusGuest): Promise<void> {
    const framesDecoded = async (): Promise<number> => (await guest.received(PERSONA))!.framesDecoded;
    const [from, before] = [performance.now(), await framesDecoded()];
    await expect.poll(framesDecoded).toBeGreaterThanOrEqual(before + MOVING_FRAMES);
    const seconds = (performance.now() - from) / 1000;
    console.log(`${(((await framesDecoded()) - before) / seconds).toFixed(1)} frames a second`);
  }

  /**
   * What the transcript says of each guest. Sound that is over 600 ms late ends a turn (`late-audio.test.ts`), so a
   * sentence may be two messages where the machine is starved. A word that was cut in two is in both.
   */
  async function wordsOfUsers(): Promise<Record<string, string>> {
    const words: Record<string, string[]> = {};
    for (const { role, speakerName = 'nobody', message } of await transcript()) {
      if (role !== 'user') continue;
      const prefix = `${speakerName}: `;
      expect(message.slice(0, prefix.length)).toBe(prefix);
      const said = message.slice(prefix.length).split(' ');
      const before = (words[speakerName] ??= []);
      before.push(...(said[0] === before.at(-1) ? said.slice(1) : said));
    }
    return Object.fromEntries(Object.entries(words).map(([name, said]) => [name, said.join(' ')]));
  }

  it('is seen, is heard when it is addressed, knows who says what, and notices that it is removed', async () => {
    await invite();
    for (const guest of [alice, bob]) await expect.poll(() => guest.names()).toContain(PERSONA);
    for (const guest of [alice, bob])
      await expect.poll(async () => (await guest.received(PERSONA))?.width).toBeGreaterThanOrEqual(720);
    await Promise.all([watch(alice), watch(bob)]);
    await expectLabel();

    const before = await energy(bob);
    await alice.say(wavFile([calm.pcm], 16_000));
    await expect.poll(wordsOfUsers).toEqual({ Alice: calm.words });
    // Talk that does not name it.
    expect((await energy(bob)) - before).toBeLessThan(HEARD);
    await bob.say(wavFile([question.pcm], 16_000));
    for (const guest of [alice, bob])
      await expect.poll(async () => (await energy(guest)) - before).toBeGreaterThan(HEARD);
    // While it speaks.
    await expectLabel();
    await expect.poll(async () => (await transcript()).at(-1)?.role).toBe('persona');
    await expect.poll(wordsOfUsers).toEqual({ Alice: calm.words, Bob: question.words });
    // It answered Bob alone, and as nobody of the meeting.
    const rows = await transcript();
    expect([...new Set(rows.map(({ role, speakerName }) => speakerName ?? role))]).toEqual(['Alice', 'Bob', 'persona']);
    const answers = rows.filter(({ role }) => role === 'persona');
    expect(answers.every(({ speakerName }) => speakerName === undefined)).toBe(true);

    await room.kick(PERSONA);
    await expect.poll(async () => (await read()).status).toBe('ended');
    expect(await read()).toMatchObject({ joinState: 'left', statusReason: 'removed_by_host' });
    const { sessionId } = current!;
    await expect
      .poll(() => service.api('GET', `/v1/sessions/${sessionId}`))
      .toMatchObject({ endReason: 'meeting_ended' });
  });

  // In every run it leaves for other reasons (leaving.test.ts), and visits leave no trace (hostile-page.test.ts).
  it('leaves when the invite is cancelled, without a trace', { tags: ['nightly'] }, async () => {
    await invite();
    const { id, sessionId } = current!;
    const picture = await fetch(`${service.url}/v1/meetings/invites/${id}/picture`, {
      headers: { authorization: `Bearer ${service.apiKey}` },
    });
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    await service.api('DELETE', `/v1/meetings/invites/${id}`);
    await expect.poll(() => room.names()).not.toContain(PERSONA);
    expect(await read()).toMatchObject({ status: 'cancelled' });
    expect(await service.api('GET', `/v1/sessions/${sessionId}`)).toMatchObject({ endReason: 'stopped_by_api' });
    await expect.poll(() => visitFolders(temporary)).toEqual([]);
  });
});

function upsideDown({ width, height, luma }: LumaImage): LumaImage {
  return { width, height, luma: luma.toReversed() };
}

/** What visits have left there. */
async function visitFolders(temporary: string): Promise<string[]> {
  const bases = (await readdir(temporary)).filter((name) => name.startsWith('parley-meetings-'));
  return (await Promise.all(bases.map((base) => readdir(join(temporary, base))))).flat();
}
