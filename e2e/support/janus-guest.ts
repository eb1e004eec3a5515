import { launchBrowser, type TestBrowser } from '../../engine/testing/browser.ts';
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

/** A person in the room: a browser of its own, with a camera, and a microphone that plays recordings. */
export interface JanusGuest {
  readonly browser: TestBrowser;
  /** Says a WAV file, to its end. */
  say(wav: Buffer): Promise<void>;
  /** The others, as the page names them. */
  names(): Promise<string[]>;
  received(name: string): Promise<ReceivedMedia | null>;
  close(): Promise<void>;
}

declare global {
  var say: (base64: string) => Promise<number>;
  // What the demo page of Janus keeps.
  var feeds: readonly ({
    readonly rfdisplay: string;
    readonly webrtcStuff: { readonly pc: { getStats(): Promise<Map<string, Record<string, unknown>>> } };
  } | null)[];
}

/** In the place of the page's microphone: a Web Audio stream, into which a test plays recordings at any time. */
const microphone = `
  const audio = new AudioContext();
  const spoken = audio.createMediaStreamDestination();
  const devices = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  MediaDevices.prototype.getUserMedia = async (constraints) => {
    const stream = new MediaStream(constraints.audio ? [spoken.stream.getAudioTracks()[0].clone()] : []);
    if (constraints.video)
      for (const track of (await devices({ video: constraints.video })).getTracks()) stream.addTrack(track);
    return stream;
  };
  globalThis.say = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const source = audio.createBufferSource();
    source.buffer = await audio.decodeAudioData(bytes.buffer);
    source.connect(spoken);
    source.start();
    return new Promise((said) => (source.onended = () => said(source.buffer.duration)));
  };
`;

export async function joinAsGuest(room: JanusRoom, name: string): Promise<JanusGuest> {
  const browser = await launchBrowser({ width: 900, height: 760 });
  await browser.context.addInitScript(`if (globalThis.MediaDevices) { ${microphone} }`);
  const { page } = browser;
  await page.goto(room.url);
  await page.getByRole('button', { name: /^Start$/ }).click();
  await page.getByPlaceholder('Choose a display name').fill(name);
  await page.getByRole('button', { name: 'Join the room' }).click();
  await page.locator('#mute').waitFor();
  return {
    browser,
    async say(wav) {
      await page.evaluate((base64) => globalThis.say(base64), wav.toString('base64'));
    },
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
    close: () => browser.close(),
  };
}
