import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { roomToken } from '../../e2e/support/livekit-room-service.ts';
import { launchBrowser } from '../../engine/testing/browser.ts';
import type { LivekitTools } from '../../runtime/testing/livekit-tools.ts';

const SAMPLE_MS = 100;

/** What Chromium says of an avatar's tracks. */
export interface Seen {
  /** How much earlier the picture is than the sound that is heard with it, ms: from sender reports and its jitter buffers. */
  readonly skews: readonly number[];
  readonly framesPerSecond: number;
}

export interface BrowserInRoom {
  /** Until the next call. */
  watch(seconds: number): Promise<Seen>;
  close(): Promise<void>;
}

interface Inbound {
  readonly kind: string;
  readonly estimatedPlayoutTimestamp?: number;
  readonly framesDecoded?: number;
}

/** Resolves when the page has both tracks. */
const script = `
  window.tracks = [];
  window.enter = async (url, token) => {
    const room = new LivekitClient.Room();
    const both = Promise.withResolvers();
    room.on('trackSubscribed', (track, publication, { identity }) => {
      // The agent has a track, too.
      if (identity !== 'anam-avatar-agent') return;
      track.attach(document.getElementById(track.kind));
      if (tracks.push(track) === 2) both.resolve();
    });
    await room.connect(url, token);
    await both.promise;
  };
`;

/** Another participant: LiveKit's own client for browsers, in Chromium, which plays the avatar's tracks. */
export async function openBrowserInRoom(
  { project }: LivekitTools,
  livekit: Readonly<Record<string, string>>,
  room: string,
): Promise<BrowserInRoom> {
  const bundle = await readFile(join(project, 'node_modules/livekit-client/dist/livekit-client.umd.js'));
  const page = `<!doctype html><video id="video" autoplay playsinline></video><audio id="audio" autoplay></audio>
    <script src="/client.js"></script><script>${script}</script>`;
  const server = createServer((request, response) => {
    const isBundle = request.url === '/client.js';
    response.setHeader('content-type', isBundle ? 'text/javascript' : 'text/html').end(isBundle ? bundle : page);
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const browser = await launchBrowser();
  await browser.page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const token = roomToken(livekit, { sub: 'browser', video: { roomJoin: true, room, canPublish: false } });
  await browser.page.evaluate(([url, jwt]) => globalThis.enter(url, jwt), [livekit['LIVEKIT_URL']!, token] as const);
  return {
    watch: (seconds) => browser.page.evaluate(watch, [seconds * 1_000, SAMPLE_MS] as const),
    async close() {
      await browser.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Track {
  readonly kind: 'audio' | 'video';
  getRTCStatsReport(): Promise<ReadonlyMap<string, Inbound & { readonly type: string }>>;
}

declare global {
  // Names in the page.
  var enter: (url: string, token: string) => Promise<void>;
  var tracks: Track[];
}

/** Runs in the page. */
async function watch([forMs, everyMs]: readonly [number, number]): Promise<Seen> {
  const inbound = async (kind: string): Promise<Inbound | undefined> => {
    const report = await globalThis.tracks.find((track) => track.kind === kind)!.getRTCStatsReport();
    return [...report.values()].find(({ type }) => type === 'inbound-rtp');
  };
  const skews: number[] = [];
  const from = performance.now();
  const before = (await inbound('video'))?.framesDecoded ?? 0;
  while (performance.now() - from < forMs) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    const [seen, heard] = await Promise.all([inbound('video'), inbound('audio')]);
    const [picture, sound] = [seen?.estimatedPlayoutTimestamp, heard?.estimatedPlayoutTimestamp];
    if (picture && sound) skews.push(picture - sound);
  }
  const frames = ((await inbound('video'))?.framesDecoded ?? 0) - before;
  return { skews, framesPerSecond: (frames * 1_000) / (performance.now() - from) };
}
