/**
 * Takes the images of meetings for the guides, from the real service, a real meeting server and real browsers: node
 * scripts/take-meeting-screenshots.ts. Needs what the tests of meetings need, and a built console.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../engine/testing/browser.ts';
import { joinAsGuest, type JanusGuest } from '../e2e/support/janus-guest.ts';
import { startJanusRoom } from '../e2e/support/janus-room.ts';
import { startService } from '../e2e/support/service.ts';

const PERSONA = 'Elena';
/** What Janus, whose names have only letters and digits, makes of "Elena (AI)". */
const SHOWN_NAME = 'ElenaAI';
const CAMERA = { width: 640, height: 480, frameRate: 5 };
/** Frames after which the persona's picture has its full quality. */
const SHARP_FRAMES = 100;
const HOUR_MS = 3_600_000;
const LOOK_MS = 200;

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
const portraits = fileURLToPath(new URL('../e2e/fixtures/portraits/', import.meta.url));
const work = await mkdtemp(join(tmpdir(), 'parley-screenshots-'));
const room = await startJanusRoom();
const service = await startService({
  env: {
    PARLEY_MEETINGS: 'on',
    PARLEY_MEETING_SERVERS: `janus=${new URL(room.url).origin}`,
    PARLEY_ALLOWED_PRIVATE_HOSTS: room.hosts.join(),
  },
});
const guests: JanusGuest[] = [];
try {
  guests.push(await guest('Eileen', 'eileen-collins.jpg'), await guest('Grace', 'grace-hopper.jpg'));
  const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1');
  const { id: personaId } = await service.api<{ id: string }>('POST', '/v1/personas', {
    name: PERSONA,
    avatarId: data[0]!.id,
    systemPrompt: 'You take part in meetings of the hotel.',
  });
  await invite({ personaId, meetingUrl: `${room.url}?room=404`, displayName: 'The notary' }, ['failed']);
  const joinAt = new Date(Math.ceil(Date.now() / HOUR_MS + 20) * HOUR_MS).toISOString();
  await invite({ personaId, meetingUrl: 'https://meet.google.com/abc-defg-hij', joinAt }, ['pending']);
  await invite({ personaId, meetingUrl: room.url }, ['media_active']);
  await takeRoom('meeting-room.png', guests[0]!);
  await takeConsole('console-meetings.png', { width: 1280, height: 860 });
  await takeConsole('console-meetings-phone.png', { width: 390, height: 844, toInvites: true });
} finally {
  await Promise.all(guests.map((one) => one.close()));
  await service.stop();
  await room.close();
  await rm(work, { recursive: true, force: true });
}

/** Somebody whose camera shows a photograph. */
async function guest(name: string, photograph: string): Promise<JanusGuest> {
  const file = join(work, `${name}.mjpeg`);
  const picture = 'scale=640:480:force_original_aspect_ratio=increase,crop=640:480:0:0';
  execFileSync(
    'ffmpeg',
    ['-loglevel', 'error', '-loop', '1', '-i', join(portraits, photograph), '-vf', picture].concat([
      '-frames:v',
      '5',
      '-r',
      '5',
      '-q:v',
      '2',
      file,
    ]),
  );
  return joinAsGuest(room, name, { camera: CAMERA, args: [`--use-file-for-fake-video-capture=${file}`] });
}

/** @param until states of the invite, or of its way in. */
async function invite(order: object, until: readonly string[]): Promise<void> {
  type Invite = { id: string; status: string; joinState: string | null };
  let { id, status, joinState } = await service.api<Invite>('POST', '/v1/meetings/invites', order);
  while (!until.includes(status) && !until.includes(joinState ?? '')) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    ({ status, joinState } = await service.api<Invite>('GET', `/v1/meetings/invites/${id}`));
  }
}

/** What a guest sees of the others. */
async function takeRoom(name: string, { browser, received }: JanusGuest): Promise<void> {
  while (((await received(SHOWN_NAME))?.framesDecoded ?? 0) < SHARP_FRAMES)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  await browser.page.setViewportSize({ width: 1280, height: 800 });
  await keep(browser.page, name);
}

async function takeConsole(
  name: string,
  { toInvites = false, ...size }: { width: number; height: number; toInvites?: boolean },
): Promise<void> {
  const browser = await launchBrowser(size);
  const { page } = browser;
  try {
    await page.goto(`${service.url}/#key=${service.apiKey}`);
    await page.goto(`${service.url}/#/meetings`);
    const picture = page.getByRole('img', { name: /sees in the meeting/ });
    await picture.waitFor();
    if (toInvites) await picture.scrollIntoViewIfNeeded();
    await keep(page, name);
  } finally {
    await browser.close();
  }
}

async function keep(page: Page, name: string): Promise<void> {
  const file = join(folder, name);
  await page.screenshot({ path: file });
  console.log(`${name}  ${Math.round((await stat(file)).size / 1000)} kB`);
}
