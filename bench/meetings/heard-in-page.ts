import type { Page } from 'playwright-core';

/** A time in which a track was loud, ms since 1970: when the browser took its samples from the track. */
export interface LoudTime {
  readonly from: number;
  readonly to: number;
}

/** Watches a track of a page. @param track an expression that gives it, in the page. @returns stops, and tells. */
export async function hearTrack(page: Page, track: string): Promise<() => Promise<LoudTime[]>> {
  const watching = await page.evaluateHandle<Promise<() => Promise<LoudTime[]>>>(`(${hear.toString()})(${track})`);
  return () => watching.evaluate((stop) => (stop as unknown as () => Promise<LoudTime[]>)());
}

// Types of the browser that Node does not have.
declare const MediaStreamTrackProcessor: new (options: { track: unknown }) => {
  readonly readable: ReadableStream<{
    readonly timestamp: number;
    readonly numberOfFrames: number;
    readonly sampleRate: number;
    copyTo(into: Float32Array, options: { planeIndex: number; format: string }): void;
    close(): void;
  }>;
};

/** Runs in the page. */
function hear(track: unknown): () => Promise<LoudTime[]> {
  // The end of a voice's last sound; what Opus leaves of silence is far below.
  const LOUD = 0.02;
  const QUIET_MS = 400;
  const loud: { from: number; to: number }[] = [];
  /** From the clock of the track to the page's. The smallest offset had no delay. */
  let offset = Infinity;
  const reader = new MediaStreamTrackProcessor({ track }).readable.getReader();
  const reading = (async () => {
    for (;;) {
      const { value: audio } = await reader.read();
      if (audio === undefined) return;
      const startsAt = audio.timestamp / 1_000;
      offset = Math.min(offset, performance.now() - startsAt);
      const samples = new Float32Array(audio.numberOfFrames);
      audio.copyTo(samples, { planeIndex: 0, format: 'f32-planar' });
      for (let i = 0; i < samples.length; i++) {
        if (Math.abs(samples[i] ?? 0) < LOUD) continue;
        const at = startsAt + (i * 1_000) / audio.sampleRate;
        const last = loud.at(-1);
        if (last === undefined || at - last.to > QUIET_MS) loud.push({ from: at, to: at });
        else last.to = at;
      }
      audio.close();
    }
  })();
  return async () => {
    await reader.cancel();
    await reading;
    const wall = (at: number): number => performance.timeOrigin + at + offset;
    return loud.map(({ from, to }) => ({ from: wall(from), to: wall(to) }));
  };
}
