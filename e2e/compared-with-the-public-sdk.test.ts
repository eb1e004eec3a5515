import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../engine/testing/browser.ts';
import { personaTurnsEnded } from './support/chunks.ts';
import { serveSdkPage, type ClientName } from './support/sdk-page.ts';
import { connectSdk, type SdkSession } from './support/sdk-session.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

let service: ServiceAccess;
beforeAll(async () => {
  service = await sharedService();
});

/**
 * What the page of the same name claims of both clients, and no other test tries. Outages: `network/outages.test.ts`;
 * reloads and what both can do: `client-features.test.ts`.
 */
describe.each<{ client: ClientName; typed: string[]; devices: number; playback: object }>([
  {
    client: 'public',
    typed: [],
    devices: 0,
    // The picture stands still, and the page is told that it plays.
    playback: { paused: true, muted: false, told: ['VIDEO_PLAY_STARTED'] },
  },
  {
    client: 'parley',
    typed: ['Hello there!'],
    devices: 1,
    playback: { paused: false, muted: true, told: ['AUDIO_PLAY_BLOCKED', 'VIDEO_PLAY_STARTED'] },
  },
])('the $client client', ({ client, typed, devices, playback }) => {
  let session: SdkSession | undefined;
  let personaConfig: object;

  beforeAll(async () => {
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1');
    personaConfig = { name: 'Ada', avatarId: data[0]?.id, skipGreeting: true };
  });
  afterEach(async () => {
    await session?.close();
    session = undefined;
  });

  it(`has ${typed.length === 0 ? 'no' : 'its'} typed messages in the history`, async () => {
    session = await connectSdk(service, { personaConfig }, { client });
    await session.until('SESSION_READY', (events) => events.some(({ event }) => event === 'SESSION_READY'));
    await session.call('sendUserMessage', 'Hello there!');
    await session.until('the answer', (events) => personaTurnsEnded(events) === 1);
    const messages = await session.history();
    expect(messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(typed);
    expect(messages.at(-1)?.role).toBe('persona');
  });

  it(`${devices === 0 ? 'stays with' : 'replaces'} a microphone that was unplugged`, async () => {
    session = await connectSdk(service, { personaConfig }, { client });
    await session.until('SESSION_READY', (events) => events.some(({ event }) => event === 'SESSION_READY'));
    await session.browser.page.evaluate(
      "peers.at(-1).getSenders().find(({ track }) => track?.kind === 'audio').track.dispatchEvent(new Event('ended'))",
    );
    await session.call('sendUserMessage', 'Hello there!');
    await session.until('the answer', (events) => personaTurnsEnded(events) === 1);
    expect(await session.events('INPUT_AUDIO_DEVICE_CHANGED')).toHaveLength(devices);
  });

  it('on a page where sound must wait for a click', async () => {
    const { sessionToken } = await service.api<{ sessionToken: string }>('POST', '/v1/auth/session-token', {
      personaConfig,
    });
    const site = await serveSdkPage('127.0.0.1', client);
    const browser = await launchBrowser({ args: ['--autoplay-policy=document-user-activation-required'] });
    try {
      // What a test evaluates in a page counts as a click: the page begins, and tells the result, by itself.
      await browser.page.addInitScript(`addEventListener('DOMContentLoaded', async () => {
        await connect(${JSON.stringify(sessionToken)}, ${JSON.stringify(service.url)}, { disableInputAudio: true });
        const video = document.getElementById('video');
        const told = () => heard.map(({ event }) => event).filter((event) => event.includes('PLAY'));
        while (!told().includes('VIDEO_PLAY_STARTED') || video.getVideoPlaybackQuality().totalVideoFrames < 25)
          await new Promise((resolve) => setTimeout(resolve, 50));
        console.log('PLAYBACK ' + JSON.stringify({ paused: video.paused, muted: video.muted, told: told() }));
      });`);
      await browser.page.goto(site.url);
      const told = (): string | undefined => browser.lines.find((line) => line.startsWith('[log] PLAYBACK '));
      await expect.poll(told).toBeDefined();
      expect(JSON.parse(told()!.replace('[log] PLAYBACK ', ''))).toEqual(playback);
      await browser.page.mouse.click(5, 5);
      await expect.poll(() => browser.page.evaluate("document.getElementById('video').muted")).toBe(false);
    } finally {
      await browser.close();
      await site.close();
    }
  });
});
