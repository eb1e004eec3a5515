/**
 * How long the first caller of a new service waits for a face. The service starts on an empty data folder, the images
 * of all faces are requested as the console does, and a session begins at once, while faces are drawn.
 *
 *   node bench/first-session.ts [--rounds 5] [--faces 0,3]
 *
 * `--faces`: positions in the list of faces. Each gets one session, all at the same time. The service draws face 0
 * first.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { startSession } from '../e2e/support/raw-session.ts';
import { startService, type RunningService } from '../e2e/support/service.ts';
import { engineNow } from '../runtime/clock.ts';
import { openLoopbackClient } from '../engine/transport/testing/loopback-client.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { median } from './lib/statistics.ts';
import { watchStealTime } from './lib/steal-time.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, faces: { type: 'string', default: '0' } },
});
const faces = args.faces.split(',').map(Number);
/** Longest time to draw a face on a busy machine. */
const WATCHED_MS = 6_000;

interface Face {
  readonly id: string;
  readonly imageUrl: string;
}

/** Times in ms. */
interface Outcome {
  /** From the request of a session token to the first packet of the first frame. Infinity: none came. */
  readonly firstFrame: number;
  /** The longest time between two frames after that. */
  readonly longestGap: number;
  readonly frames: number;
}

async function watchSession(service: RunningService, { id }: Face): Promise<Outcome> {
  const began = engineNow();
  const arrivals = new Map<number, number>();
  const session = await startSession(service, { avatarId: id });
  const client = openLoopbackClient({
    onVideo: ({ timestamp, arrivedAt }) => {
      if (!arrivals.has(timestamp)) arrivals.set(timestamp, arrivedAt);
    },
  });
  const socket = new WebSocket(session.url);
  socket.on('message', (data) => {
    const { actionType, payload } = JSON.parse(String(data)) as { actionType: string; payload: { sdp: string } };
    if (actionType === 'answer') client.acceptAnswer(payload.sdp);
  });
  await once(socket, 'open');
  socket.send(
    JSON.stringify({
      actionType: 'offer',
      sessionId: session.sessionId,
      payload: { connectionDescription: { type: 'offer', sdp: client.offer } },
    }),
  );
  await client.connected;
  await pause(WATCHED_MS);
  client.close();
  socket.close();
  const times = [...arrivals.values()];
  return {
    firstFrame: (times[0] ?? Infinity) - began,
    longestGap: times.length < 2 ? Number.NaN : Math.max(...times.slice(1).map((at, i) => at - times[i]!)),
    frames: times.length,
  };
}

/** Requests of a console that is opened. */
async function openGallery(service: RunningService): Promise<Face[]> {
  const { data } = await service.api<{ data: Face[] }>('GET', '/v1/avatars');
  for (const { imageUrl } of data) void fetch(new URL(imageUrl, service.url)).then((image) => image.arrayBuffer());
  return data;
}

const rows: (string | number)[][] = [];
const firsts = faces.map((): number[] => []);
for (let round = 0; round < Number(args.rounds); round++) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-first-session-'));
  const service = await startService({ dataDir });
  const loop = watchEventLoop();
  const host = watchStealTime();
  try {
    const gallery = await openGallery(service);
    const outcomes = await Promise.all(faces.map((at) => watchSession(service, gallery[at]!)));
    const delay = loop.stop();
    const stolen = host.stop();
    for (const [i, { firstFrame, longestGap, frames }] of outcomes.entries()) {
      firsts[i]!.push(firstFrame);
      rows.push([`${round + 1}, face ${faces[i]}`, firstFrame, longestGap, frames, delay.p99, stolen * 100]);
    }
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
printTable(
  ['round', 'first frame, ms', 'longest gap, ms', 'frames in 6 s', 'event loop p99, ms', 'host took, %'],
  rows,
);
for (const [i, values] of firsts.entries())
  console.log(`face ${faces[i]}: first frame after ${Math.round(median(values))} ms (median of ${values.length})`);
process.exit(0);
