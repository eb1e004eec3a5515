/**
 * How connections recover. Browsers in a network namespace lose their network for some time, and restart ICE when it is
 * back, several sessions at a time. Both sides send numbered messages all the time.
 *
 *   node bench/reconnect.ts [--sessions 5] [--cuts 3,8,15,40]      (needs root, for the namespace)
 */
import { parseArgs } from 'node:util';
import pino from 'pino';
import { launchBrowser } from '../engine/testing/browser.ts';
import { networkObstacle, openTestNetwork } from '../e2e/support/test-network.ts';
import { engineNow } from '../runtime/clock.ts';
import { createTransport } from '../engine/transport/index.ts';
import { openBrowserClient, type BrowserClient } from '../engine/transport/testing/browser-client.ts';
import { startMediaPump, type MediaPump } from '../engine/transport/testing/media-pump.ts';
import { testFrames, testTone } from '../engine/transport/testing/test-media.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { median } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: { sessions: { type: 'string', default: '5' }, cuts: { type: 'string', default: '3,8,15,40' } },
});
const sessions = Number(args.sessions);
const cuts = args.cuts.split(',').map(Number);

const obstacle = networkObstacle();
if (obstacle !== null) {
  console.error(`This bench cuts a real network: ${obstacle}.`);
  process.exit(1);
}

/**
 * About as many as a speaking persona sends, word by word. In the longest cut, that is fewer than the outbox holds
 * (200).
 */
const MESSAGE_EVERY_MS = 250;
const SETTLE_MS = 3_000;
/** SCTP retransmits late, and later after each failure. */
const CATCH_UP_MS = 15_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const log = pino({ level: process.env['PARLEY_LOG_LEVEL'] ?? 'silent' });
const network = await openTestNetwork(1);
const machine = network.clients[0]!;
const browser = await launchBrowser({ executable: machine.chromium });
const transport = await createTransport({
  publicAddress: network.serviceAddress,
  udpPort: 0,
  // A client whose UDP is cut would go on by TCP.
  tcpPort: null,
  videoCodecs: ['h264', 'vp8'],
  log,
});
const [frames, audio] = await Promise.all([testFrames('h264', 4), testTone(4)]);

/** Times in ms. */
interface Outcome {
  readonly noticed: number;
  /**
   * From the network's return to the first new frame, and from the client's offer, which it sends at once, to the next
   * frame.
   */
  readonly frame: number;
  readonly offerToFrame: number;
  readonly peer: string;
  readonly toClient: Delivery;
  readonly fromClient: Delivery;
}

interface Delivery {
  readonly sent: number;
  readonly lost: number;
  readonly twice: number;
  readonly disordered: number;
  /** From the network's return until the first message that was sent after it arrives. Lost messages come before it. */
  readonly caughtUp: number;
}

interface Message {
  readonly number: number;
  readonly at: number;
}

/** @param arrived in the order of arrival. */
function delivery(sentAt: readonly number[], arrived: readonly Message[], backAt: number): Delivery {
  const first = arrived.filter(({ number }, index) => arrived.findIndex((other) => other.number === number) === index);
  const firstAfter = sentAt.findIndex((at) => at > backAt);
  return {
    sent: sentAt.length,
    lost: sentAt.length - first.length,
    twice: arrived.length - first.length,
    disordered: first.filter(({ number }, index) => index > 0 && number < first[index - 1]!.number).length,
    caughtUp: (first.find(({ number }) => number === firstAfter)?.at ?? Number.NaN) - backAt,
  };
}

const numberOf = (text: string): number => Number(text.split(' ')[1]);

/** What this bench does not look at. */
const UNHEARD = {
  audioPacket: () => undefined,
  unresponsive: () => undefined,
  responsive: () => undefined,
  flowing: () => undefined,
  path: () => undefined,
  closed: () => undefined,
  channelOpened: () => undefined,
  bitrateEstimated: () => undefined,
  audioLost: () => undefined,
};

async function openSession(index: number) {
  let pump: MediaPump | null = null;
  const seen = { quietAt: [] as number[], peer: 'kept', received: [] as Message[] };
  const connection = transport.open(`session ${index}`, {
    ...UNHEARD,
    message: (text) => seen.received.push({ number: numberOf(text), at: engineNow() }),
    connected: (kind) => void (kind === 'renewed' && (seen.peer = 'renewed')),
    quiet: () => void seen.quietAt.push(engineNow()),
    keyframeRequested: () => pump?.keyframe(),
  });
  let offered = { at: Number.NaN, frame: Promise.resolve(Number.NaN) };
  const page = await browser.context.newPage();
  const client: BrowserClient = await openBrowserClient(page, (offer) => {
    offered = { at: engineNow(), frame: client.nextFrame() };
    return connection.acceptOffer(offer).answer;
  });
  await client.negotiate(false);
  pump = startMediaPump(connection, audio, frames);
  const sentAt: number[] = [];
  const talking = setInterval(() => connection.sendMessage(`server ${sentAt.push(engineNow()) - 1}`), MESSAGE_EVERY_MS);
  await client.nextFrame();
  await client.sendEvery(MESSAGE_EVERY_MS, 'client');

  return {
    /** Measures from the network's return on. @param cutAt when it was cut. */
    async comeBack(cutAt: number, backAt: number): Promise<Outcome> {
      const frame = client.nextFrame();
      await client.negotiate(true);
      const [frameAt, nextFrameAt] = await Promise.all([frame, offered.frame]);
      await pause(CATCH_UP_MS);
      clearInterval(talking);
      const fromClientAt = await client.sentAt();
      await pause(SETTLE_MS);
      const { messages, messagesAt } = await client.stats();
      return {
        noticed: (seen.quietAt.find((at) => at > cutAt) ?? Number.NaN) - cutAt,
        frame: frameAt - backAt,
        offerToFrame: nextFrameAt - offered.at,
        peer: seen.peer,
        toClient: delivery(
          sentAt,
          messages.map((text, index) => ({ number: numberOf(text), at: messagesAt[index]! })),
          backAt,
        ),
        fromClient: delivery(
          fromClientAt,
          seen.received.filter(({ number }) => number < fromClientAt.length),
          backAt,
        ),
      };
    },
    async close() {
      clearInterval(talking);
      pump?.stop();
      await page.close();
      connection.close();
    },
  };
}

const rows: (string | number)[][] = [];
for (const seconds of cuts) {
  const open = await Promise.all(Array.from({ length: sessions }, (_, index) => openSession(index)));
  await pause(SETTLE_MS);
  const loop = watchEventLoop();
  const cutAt = engineNow();
  await machine.cut('udp');
  await pause(seconds * 1_000);
  await machine.restore();
  const backAt = engineNow();
  const outcomes = await Promise.all(open.map((session) => session.comeBack(cutAt, backAt)));
  const delay = loop.stop();
  await Promise.all(open.map((session) => session.close()));
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const worst = (of: (outcome: Outcome) => number): number => Math.max(...outcomes.map(of));
  rows.push([
    `${seconds} s`,
    outcomes.length,
    [...new Set(outcomes.map(({ peer }) => peer))].join(', '),
    median(outcomes.map(({ noticed }) => noticed)),
    median(outcomes.map(({ frame }) => frame)),
    worst(({ frame }) => frame),
    median(outcomes.map(({ offerToFrame }) => offerToFrame)),
    worst(({ offerToFrame }) => offerToFrame),
    ...(['toClient', 'fromClient'] as const).flatMap((direction) => [
      sum((outcome) => outcome[direction].sent),
      sum((outcome) => outcome[direction].lost),
      sum((outcome) => outcome[direction].twice),
      sum((outcome) => outcome[direction].disordered),
      median(outcomes.map((outcome) => outcome[direction].caughtUp)),
      worst((outcome) => outcome[direction].caughtUp),
    ]),
    delay.p99,
  ]);
}

console.log(
  `${sessions} Chromium sessions at a time, UDP cut, ICE restart as soon as the network is back; ms, medians and worst.`,
);
printTable(
  [
    'cut',
    'n',
    'peer',
    'noticed',
    'back → video',
    'worst',
    'offer → video',
    'worst',
    'to client',
    'lost',
    'twice',
    'disord.',
    'caught up',
    'worst',
    'from client',
    'lost',
    'twice',
    'disord.',
    'caught up',
    'worst',
    'loop p99',
  ],
  rows,
);
await browser.close();
await transport.close();
await network.close();
process.exit(0);
