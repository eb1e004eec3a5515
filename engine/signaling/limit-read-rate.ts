import type { WebSocket } from 'ws';
import { systemTimers } from '../../runtime/clock.ts';
import { type ReadAllowances, ReadRateLimit } from '../../runtime/read-rate-limit.ts';

/**
 * A client may send minutes of audio at once: at 20 ms a frame these are ten times real time. Of the largest frames one
 * comes at a time: each takes the thread for some milliseconds, and four in a row were heard in everybody's sound.
 */
const READING: ReadAllowances = {
  messages: { atOnce: 2_000, perSecond: 500 },
  bytes: { atOnce: 1024 * 1024, perSecond: 2 * 1024 * 1024 },
};

/** Stops reading while more was read than may be. `read` is told of each frame: its size in characters. */
export function limitReadRate(ws: WebSocket): { read(size: number): void; close(): void } {
  const pace = new ReadRateLimit(READING, systemTimers);
  return { read: (size) => void pace.note(ws, size), close: () => pace.end() };
}
