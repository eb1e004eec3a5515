import { launchGuest, type Guest } from './guest-browser.ts';
import type { JanusRoom } from './janus-room.ts';

/** What a guest receives of one of the others. */
export interface ReceivedMedia {
  readonly framesDecoded: number;
  readonly framesPerSecond: number;
  readonly width: number;
  readonly height: number;
  /** Grows with the loudness of what is heard. */
  readonly audioEnergy: number;
  readonly packetsLost: number;
}

/** A person in the room. */
export interface JanusGuest extends Guest {
  /** The others, as the page names them. */
  names(): Promise<string[]>;
  received(name: string): Promise<ReceivedMedia | null>;
}

declare global {
  // What the demo page of Janus keeps.
  var feeds: readonly ({
    readonly rfdisplay: string;
    readonly webrtcStuff: { readonly pc: { getStats(): Promise<Map<string, Record<string, unknown>>> } };
  } | null)[];
}

export async function joinAsGuest(
  room: JanusRoom,
  name: string,
  options: Parameters<typeof launchGuest>[0] = {},
): Promise<JanusGuest> {
  const guest = await launchGuest(options);
  const { page } = guest.browser;
  await page.goto(room.url);
  await page.getByRole('button', { name: /^Start$/ }).click();
  await page.getByPlaceholder('Choose a display name').fill(name);
  await page.getByRole('button', { name: 'Join the room' }).click();
  await page.locator('#mute').waitFor();
  return {
    ...guest,
    names: () =>
      page.evaluate(() =>
        globalThis.feeds.filter((feed) => feed !== null && feed !== undefined).map((feed) => feed!.rfdisplay),
      ),
    received: (other) =>
      page.evaluate(async (wanted) => {
        const feed = globalThis.feeds.find((one) => one?.rfdisplay === wanted);
        if (feed === null || feed === undefined) return null;
        const media: Record<string, Record<string, unknown>> = {};
        for (const report of (await feed.webrtcStuff.pc.getStats()).values())
          if (report['type'] === 'inbound-rtp') media[String(report['kind'])] = report;
        const number = (kind: string, key: string): number => Number(media[kind]?.[key] ?? 0);
        return {
          framesDecoded: number('video', 'framesDecoded'),
          framesPerSecond: number('video', 'framesPerSecond'),
          width: number('video', 'frameWidth'),
          height: number('video', 'frameHeight'),
          audioEnergy: number('audio', 'totalAudioEnergy'),
          packetsLost: number('video', 'packetsLost') + number('audio', 'packetsLost'),
        };
      }, other),
  };
}
