import type { WebSocket } from 'ws';
import { engineNow, systemTimers } from '../../runtime/clock.ts';
import { TokenBucket } from '../../runtime/token-bucket.ts';

/**
 * How fast a socket is read: what comes faster waits in the network, where TCP slows its sender down. Nothing is lost,
 * so a client may send minutes of audio at once: at 20 ms a frame these are ten times real time. Of the largest frames one
 * comes at a time: each takes the thread for some milliseconds, and four in a row were heard in everybody's sound.
 */
const READ_FRAMES = { atOnce: 2_000, perSecond: 500 };
const READ_BYTES = { atOnce: 1024 * 1024, perSecond: 2 * 1024 * 1024 };

/** Stops reading while more was read than may be. `read` is told of each frame: its size in characters. */
export function paceReading(ws: WebSocket): { read(size: number): void; close(): void } {
  const frames = new TokenBucket(READ_FRAMES, engineNow());
  const bytes = new TokenBucket(READ_BYTES, engineNow());
  let resuming: unknown;
  return {
    read(size) {
      const now = engineNow();
      const ahead = Math.max(frames.spend(1, now), bytes.spend(size, now));
      if (ahead === 0 || ws.isPaused) return;
      ws.pause();
      resuming = systemTimers.setTimeout(() => ws.resume(), ahead);
    },
    close: () => systemTimers.clearTimeout(resuming),
  };
}
