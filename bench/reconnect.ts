/**
 * How a connection comes back. Browsers in a network namespace lose their network for a while and restart ICE when it is
 * back, several sessions at a time; both sides send numbered messages all along.
 *
 *   node bench/reconnect.ts [--sessions 5] [--cuts 3,8,15,40]      (needs root, for the namespace)
 */
import { parseArgs } from 'node:util';
import pino from 'pino';
import { launchBrowser } from '../e2e/support/browser.ts';
import { networkObstacle, openTestNetwork } from '../e2e/support/test-network.ts';
import { engineNow } from '../engine/clock.ts';
import { createTransport } from '../engine/transport/index.ts';
import { openBrowserClient } from '../engine/transport/testing/browser-client.ts';
import { startMediaPump, type MediaPump } from '../engine/transport/testing/media-pump.ts';
import { testPictures, testTone } from '../engine/transport/testing/test-media.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { median } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({ options: { sessions: { type: 'string', default: '5' }, cuts: { type: 'string', default: '3,8,15,40' } } });
const sessions = Number(args.sessions);
const cuts = args.cuts.split(',').map(Number);

const obstacle = networkObstacle();
if (obstacle !== null) {
  console.error(`This bench cuts a real network: ${obstacle}.`);
  process.exit(1);
}

/** About as many as a talking persona sends, word by word. */
const MESSAGE_EVERY_MS = 200;
const SETTLE_MS = 3_000;
/** SCTP repeats late, and later after every failure. */
const CATCH_UP_MS = 15_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const log = pino({ level: process.env['PARLEY_LOG_LEVEL'] ?? 'silent' });
const network = await openTestNetwork(1);
const machine = network.clients[0]!;
const browser = await launchBrowser({ executable: machine.chromium });
const transport = await createTransport({ publicAddress: network.serviceAddress, udpPort: 0, videoCodecs: ['h264', 'vp8'], log });
const [pictures, sound] = await Promise.all([testPictures('h264', 4), testTone(4)]);

interface Outcome {
  readonly detectedMs: number;
  readonly offerToMediaMs: number;
  readonly backToMediaMs: number;
  readonly peer: string;
  readonly toClient: Delivery;
  readonly fromClient: Delivery;
}

interface Delivery {
  readonly sent: number;
  readonly lost: number;
  readonly twice: number;
  readonly disordered: number;
}

/** @param arrived the numbers of the messages, in the order of arrival. */
function delivery(sent: number, arrived: readonly number[]): Delivery {
  const first = arrived.filter((number, index) => arrived.indexOf(number) === index);
  return {
    sent,
    lost: sent - first.length,
    twice: arrived.length - first.length,
    disordered: first.filter((number, index) => index > 0 && number < first[index - 1]!).length,
  };
}

const numbers = (texts: readonly string[]): number[] => texts.map((text) => Number(text.split(' ')[1]));

async function openSession(index: number) {
  let pump: MediaPump | null = null;
  const seen = { quietAt: Number.NaN, peer: 'kept', received: [] as string[], connected: 0 };
  const connection = transport.open(`session ${index}`, {
    audioPacket: () => undefined,
    message: (text) => seen.received.push(text),
    connected: (kind) => {
      seen.connected += 1;
      if (kind === 'renewed') seen.peer = 'renewed';
    },
    quiet: () => (seen.quietAt = engineNow()),
    flowing: () => undefined,
    closed: () => undefined,
    channelOpened: () => undefined,
    keyframeRequested: () => pump?.keyframe(),
    bitrateEstimated: () => undefined,
  });
  let offeredAt = Number.NaN;
  const page = await browser.context.newPage();
  const client = await openBrowserClient(page, (offer) => {
    offeredAt = engineNow();
    return connection.acceptOffer(offer).answer;
  });
  await client.negotiate(false);
  pump = startMediaPump(connection, sound, pictures);
  let sent = 0;
  const talking = setInterval(() => connection.sendMessage(`server ${sent++}`), MESSAGE_EVERY_MS);
  await client.nextPicture();
  await client.sendEvery(MESSAGE_EVERY_MS, 'client');

  return {
    /** Runs from the network's return on. @param cutAt when it went away. */
    async comeBack(cutAt: number, backAt: number): Promise<Outcome> {
      const picture = client.nextPicture();
      await client.negotiate(true);
      const mediaAt = await picture;
      await pause(CATCH_UP_MS);
      clearInterval(talking);
      const fromClientSent = await client.sentMessages();
      await pause(SETTLE_MS);
      const { messages } = await client.stats();
      return {
        detectedMs: seen.quietAt - cutAt,
        offerToMediaMs: mediaAt - offeredAt,
        backToMediaMs: mediaAt - backAt,
        peer: seen.peer,
        toClient: delivery(sent, numbers(messages)),
        fromClient: delivery(fromClientSent, numbers(seen.received).filter((number) => number < fromClientSent)),
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
    median(outcomes.map(({ detectedMs }) => detectedMs)),
    median(outcomes.map(({ offerToMediaMs }) => offerToMediaMs)),
    worst(({ offerToMediaMs }) => offerToMediaMs),
    median(outcomes.map(({ backToMediaMs }) => backToMediaMs)),
    sum(({ toClient }) => toClient.sent),
    sum(({ toClient }) => toClient.lost),
    sum(({ toClient }) => toClient.twice),
    sum(({ toClient }) => toClient.disordered),
    sum(({ fromClient }) => fromClient.sent),
    sum(({ fromClient }) => fromClient.lost),
    delay.p99,
  ]);
}

console.log(`${sessions} Chromium sessions at a time, UDP cut, ICE restart as soon as the network is back; ms, medians and worst.`);
printTable(
  ['cut', 'n', 'peer', 'noticed after', 'offer → picture', 'worst', 'network back → picture', 'to client', 'lost', 'twice', 'disordered', 'from client', 'lost', 'loop p99'],
  rows,
);
await browser.close();
await transport.close();
await network.close();
process.exit(0);
