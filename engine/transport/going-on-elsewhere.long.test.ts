import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { ConnectionSnapshot } from './connection-state.ts';
import type { MediaConnection } from '../ports.ts';
import { eventually } from '../testing/eventually.ts';
import { launchBrowser } from '../testing/browser.ts';
import { sharedBrowser } from '../testing/shared-browser.ts';
import { createTransport } from './index.ts';
import { LOOPBACK_FLAGS, openBrowserClient } from './testing/browser-client.ts';
import { startMediaPump, type MediaPump } from './testing/media-pump.ts';
import { recordingHandlers } from './testing/test-transport.ts';
import { testFrames, testTone } from './testing/test-media.ts';

/** A real browser whose session moves from one transport to another, as between two processes. */
const SESSION = '3e4f3c2e-0000-4000-8000-000000000001';
const log = pino({ level: 'silent' });

const browser = sharedBrowser(() => launchBrowser({ args: LOOPBACK_FLAGS }));

async function openEngine(codec: 'h264' | 'vp8', publicAddress: string, past: ConnectionSnapshot | null = null) {
  const [frames, audio] = await Promise.all([testFrames(codec, 4), testTone(4)]);
  const transport = await createTransport({
    publicAddress,
    // Chromium prefers TCP over the loopback interface to UDP: of which kind that interface is, it only knows for TCP.
    tcpPort: null,
    udpPort: 0,
    videoCodecs: [codec],
    log,
  });
  let pump: MediaPump | null = null;
  const heard = recordingHandlers();
  heard.keyframeRequested.mockImplementation(() => pump?.keyframe());
  const connection = transport.open(SESSION, heard, {}, past);
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    pump?.stop();
    connection.close();
    return (closing ??= transport.close());
  };
  onTestFinished(close);
  return { connection, heard, close, play: () => void (pump = startMediaPump(connection, audio, frames)) };
}

for (const [codec, publicAddress, tags] of [
  ['h264', '127.0.0.1', ['nightly']],
  ['vp8', '127.0.0.1', ['nightly']],
  // Two paths. A browser with a VPN was taken for one that takes no notice, and its picture stood still for 2 s.
  ['h264', '127.0.0.1, ::1', []],
] as const)
  it(
    `a browser that is sent away offers again at once, and has its tracks, its channel and every message elsewhere (${codec}, ${publicAddress})`,
    { tags: [...tags] },
    async () => {
      const page = await browser.context.newPage();
      onTestFinished(() => page.close());
      const before = await openEngine(codec, publicAddress);
      let current: MediaConnection = before.connection;
      const kinds: string[] = [];
      const client = await openBrowserClient(page, (offer) => {
        const { answer, kind } = current.acceptOffer(offer);
        kinds.push(kind);
        return answer;
      });
      await client.negotiate(false);
      before.play();
      current.sendMessage('one');
      await eventually(async () => {
        const stats = await client.stats();
        expect(stats.framesDecoded).toBeGreaterThan(30);
        expect(stats.messages).toEqual(['one']);
      });
      await eventually(() => expect(current.state()).toMatchObject({ arrived: 1, sent: 1, flowing: true }));

      const sentAway = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      before.connection.revokeConsent({ refused: sentAway.resolve, reached: reached.resolve });
      await sentAway.promise;
      const state = before.connection.state();
      await reached.promise;
      await eventually(async () => expect((await client.stats()).connectionState).toMatch(/^(failed|disconnected)$/));
      // It goes on seeing, although its connection is broken.
      const { framesDecoded } = await client.stats();
      await eventually(async () => expect((await client.stats()).framesDecoded).toBeGreaterThan(framesDecoded + 15));
      expect((await client.stats()).connectionState).toMatch(/^(failed|disconnected)$/);
      // What it received it could not confirm.
      before.connection.sendMessage('not sent any more');
      await before.close();

      const after = await openEngine(codec, publicAddress, {
        state,
        elapsedMs: 400,
        waiting: ['two', 'three'],
        arrived: 1,
      });
      current = after.connection;
      after.play();
      const frozenAt = (await client.stats()).framesDecoded;
      await client.negotiate(true);
      await eventually(async () => {
        const stats = await client.stats();
        expect(stats.framesDecoded).toBeGreaterThan(frozenAt + 30);
        expect(stats).toMatchObject({ connectionState: 'connected', channelState: 'open' });
        expect(stats.messages).toEqual(['one', 'two', 'three']);
      });
      expect(kinds).toEqual(['first', 'restart']);
      expect(after.heard.connected.mock.calls).toEqual([['renewed']]);
      const { audioEnergy } = await client.stats();
      await eventually(async () => expect((await client.stats()).audioEnergy).toBeGreaterThan(audioEnergy + 0.01));
      await client.send('from the browser');
      await eventually(() => expect(after.heard.message).toHaveBeenCalledWith('from the browser'));
      await eventually(() => expect(current.state()).toMatchObject({ arrived: 3, sent: 3 }));
    },
  );
