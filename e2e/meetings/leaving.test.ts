import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MeetingConnector, MeetingEnd } from '../../control/ports.ts';
import { openMeetingConnector, type VisitLimits } from '../../meetings/index.ts';
import { type JanusRoom, startJanusRoom } from '../support/janus-room.ts';

const MEMORY_MB = 900;
/** Of the one with the shorter time, from the start of its visit: enough to come in. */
const SHORTER_MS = 20_000;
const LONGER_MS = 600_000;
const ALONE_MS = 1_000;

let room: JanusRoom;
const connectors: MeetingConnector[] = [];
beforeAll(async () => {
  room = await startJanusRoom();
});
afterAll(async () => {
  await Promise.all(connectors.map((connector) => connector.close()));
  await room?.close();
});

/** A persona without a session, which would say nothing anyway. */
async function visit(displayName: string, longestMs: number, limits: Partial<VisitLimits>) {
  const opened = await openMeetingConnector({
    dataDir: `/data-${randomUUID()}`,
    chromium: undefined,
    servers: [{ provider: 'janus', origin: new URL(room.url).origin }],
    allowedPrivateHosts: room.hosts,
    memoryMb: MEMORY_MB,
    limits,
    warn: () => undefined,
  });
  if ('missing' in opened) throw new Error(opened.missing);
  connectors.push(opened.connector);
  const states: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<MeetingEnd>();
  opened.connector.join(
    { inviteId: displayName, provider: 'janus', meetingUrl: room.url, displayName, longestMs },
    {
      state: (state) => states.push(state),
      admitted: () => new Promise(() => undefined),
      leaving: () => undefined,
      ended: resolve,
    },
  );
  await expect.poll(() => states).toContain('in_call');
  return { ended };
}

// In every run, on a simulated clock: meetings/visit.test.ts.
it(
  'a persona leaves when its longest time is over, and when nobody else is in the meeting any more',
  { tags: ['nightly'] },
  async () => {
    const leo = await visit('Leo (AI)', SHORTER_MS, {});
    const elena = await visit('Elena (AI)', LONGER_MS, { aloneMs: ALONE_MS });
    expect(await leo.ended).toMatchObject({ state: 'done', reason: 'left_call' });
    expect(await elena.ended).toMatchObject({ state: 'done', reason: 'idle_timeout' });
    await expect.poll(() => room.names()).toEqual([]);
  },
);
