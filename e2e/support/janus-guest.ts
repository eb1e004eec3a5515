import { launchGuest, type Guest } from './guest-browser.ts';
import type { JanusRoom } from './janus-room.ts';
import type { LumaImage } from './visible-disclosure.ts';

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
  /** The frame that the page shows of somebody now, decoded. */
  picture(name: string): Promise<LumaImage>;
}

declare global {
  // What the demo page of Janus keeps.
  var feeds: readonly ({
    readonly rfdisplay: string;
    readonly webrtcStuff: { readonly pc: { getStats(): Promise<Map<string, Record<string, unknown>>> } };
  } | null)[];
}

/** In the page: the luma of the frame that it shows of somebody, as base64. */
const LUMA_OF = `(name) => {
  const { rfindex } = feeds.find((feed) => feed?.rfdisplay === name);
  const video = document.querySelector('#videoremote' + rfindex + ' video');
  const [width, height] = [video.videoWidth, video.videoHeight];
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(video, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  let luma = '';
  for (let at = 0; at < data.length; at += 4)
    luma += String.fromCharCode(0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2]);
  return { width, height, luma: btoa(luma) };
}`;

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
    async picture(other) {
      const { width, height, luma } = await page.evaluate<{ width: number; height: number; luma: string }>(
        `(${LUMA_OF})(${JSON.stringify(other)})`,
      );
      return { width, height, luma: Buffer.from(luma, 'base64') };
    },
  };
}
