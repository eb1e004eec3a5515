import { launchBrowser, type TestBrowser } from '../../engine/testing/browser.ts';

/** A person at a browser of their own, with a camera, and a microphone that plays recordings. */
export interface Guest {
  readonly browser: TestBrowser;
  /** Says a WAV file, to its end. */
  say(wav: Buffer): Promise<void>;
  close(): Promise<void>;
}

declare global {
  var say: (base64: string) => Promise<number>;
}

/** What a guest's browser takes of its camera, in place of what the page asks for. */
export interface Camera {
  readonly width: number;
  readonly height: number;
  readonly frameRate: number;
}

/** Small: the processor's time is for what is tested. */
const CAMERA: Camera = { width: 160, height: 120, frameRate: 5 };

/**
 * In the place of the page's microphone: a Web Audio stream, into which a test plays recordings at any time. It is also
 * `microphoneTrack`. The camera is Chromium's own false one.
 */
const devices = (camera: Camera): string => `
  const audio = new AudioContext();
  const spoken = audio.createMediaStreamDestination();
  const devices = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  globalThis.microphoneTrack = spoken.stream.getAudioTracks()[0];
  MediaDevices.prototype.getUserMedia = async (constraints) => {
    const stream = new MediaStream(constraints.audio ? [globalThis.microphoneTrack.clone()] : []);
    if (constraints.video)
      for (const track of (await devices({ video: ${JSON.stringify(camera)} })).getTracks()) stream.addTrack(track);
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

export async function launchGuest(options: { args?: string[]; camera?: Camera } = {}): Promise<Guest> {
  const browser = await launchBrowser({ width: 900, height: 760, args: options.args ?? [] });
  await browser.context.addInitScript(`if (globalThis.MediaDevices) { ${devices(options.camera ?? CAMERA)} }`);
  return {
    browser,
    async say(wav) {
      await browser.page.evaluate((base64) => globalThis.say(base64), wav.toString('base64'));
    },
    close: () => browser.close(),
  };
}
