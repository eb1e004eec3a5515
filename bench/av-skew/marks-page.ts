import type { Page } from 'playwright-core';

export interface SeenAndHeard {
  /** When the video turned white, ms since 1970: the browser's time for the frame on the screen. */
  readonly seen: readonly number[];
  /** When the tone began, ms since 1970: the time at which the browser took it out of its jitter buffer. */
  readonly heard: readonly number[];
}

/** Observes the page's video and audio for some time. @param skipSeconds at the beginning. */
export async function watchMarks(page: Page, options: { seconds: number; skipSeconds: number }): Promise<SeenAndHeard> {
  return page.evaluate<SeenAndHeard>(
    `(${watch.toString()})(${options.seconds * 1_000}, ${options.skipSeconds * 1_000})`,
  );
}

// Types of the browser that Node does not have.
declare const document: { querySelector(selector: string): BrowserVideo; createElement(name: 'canvas'): BrowserCanvas };
declare const MediaStreamTrackProcessor: new (options: { track: unknown }) => {
  readonly readable: ReadableStream<BrowserAudio>;
};
interface BrowserVideo {
  readonly srcObject: { getAudioTracks(): unknown[] };
  requestVideoFrameCallback(seen: (now: number, frame: { expectedDisplayTime: number }) => void): void;
}
interface BrowserCanvas {
  width: number;
  height: number;
  getContext(
    kind: '2d',
    options: unknown,
  ): {
    drawImage(video: BrowserVideo, ...place: number[]): void;
    getImageData(...place: number[]): { data: Uint8ClampedArray };
  };
}
interface BrowserAudio {
  readonly timestamp: number;
  readonly numberOfFrames: number;
  readonly sampleRate: number;
  copyTo(into: Float32Array, options: { planeIndex: number; format: string }): void;
  close(): void;
}

/** Runs in the page. */
async function watch(forMs: number, skipMs: number): Promise<SeenAndHeard> {
  const LOUD = 0.05;
  const QUIET_MS = 200;
  const video = document.querySelector('video');
  const began = performance.now();
  const over = (): boolean => performance.now() - began > forMs;
  const wall = (at: number): number => performance.timeOrigin + at;

  const seen: number[] = [];
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const pixel = canvas.getContext('2d', { willReadFrequently: true });
  let white = true;
  video.requestVideoFrameCallback(function look(_, { expectedDisplayTime }) {
    pixel.drawImage(video, 0, 0, 1, 1);
    const isWhite = (pixel.getImageData(0, 0, 1, 1).data[1] ?? 0) > 128;
    if (isWhite && !white) seen.push(wall(expectedDisplayTime));
    white = isWhite;
    if (!over()) video.requestVideoFrameCallback(look);
  });

  const heard: { readonly timestamp: number }[] = [];
  /** The offset from the clock of audio timestamps to the page's clock. The smallest one had no delay. */
  let clockOffset = Infinity;
  let loudAt = -Infinity;
  const reader = new MediaStreamTrackProcessor({ track: video.srcObject.getAudioTracks()[0] }).readable.getReader();
  while (!over()) {
    const { value: audio, done } = await reader.read();
    if (done) break;
    const samples = new Float32Array(audio.numberOfFrames);
    audio.copyTo(samples, { planeIndex: 0, format: 'f32-planar' });
    const startsAt = audio.timestamp / 1_000;
    clockOffset = Math.min(clockOffset, performance.now() - startsAt);
    for (let i = 0; i < samples.length; i++) {
      if (Math.abs(samples[i] ?? 0) < LOUD) continue;
      const at = startsAt + (i * 1_000) / audio.sampleRate;
      if (at - loudAt > QUIET_MS) heard.push({ timestamp: at });
      loudAt = at;
    }
    audio.close();
  }
  await reader.cancel();
  const late = (at: number): boolean => at > wall(began + skipMs);
  return { seen: seen.filter(late), heard: heard.map(({ timestamp }) => wall(timestamp + clockOffset)).filter(late) };
}
