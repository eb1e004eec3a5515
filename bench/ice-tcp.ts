/**
 * What a session costs over TCP (ICE-TCP), beside one over UDP: frames that arrive, delay, CPU. The transport has its own
 * process and sends as much as sessions do; the clients are WebRTC peers in this one. Both ways lead through a relay in
 * this process, so the difference between them is the front's. Rounds of both alternate.
 *
 *   node bench/ice-tcp.ts [--sessions 8] [--seconds 15] [--rounds 3]
 */
import { fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { engineNow } from '../runtime/clock.ts';
import {
  openLoopbackClient,
  type LoopbackClient,
  type ReceivedPacket,
} from '../engine/transport/testing/loopback-client.ts';
import { openTcpRelay } from '../engine/transport/testing/tcp-relay.ts';
import { openUdpRelay } from '../engine/transport/testing/udp-relay.ts';
import { TIME_BYTES, type FromFrontProcess, type ToFrontProcess } from './ice-tcp/messages.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { quantile } from './lib/statistics.ts';
import { stealTimeLine, watchStealTime } from './lib/steal-time.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: {
    sessions: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '3' },
  },
});
const sessions = Number(args.sessions);
const seconds = Number(args.seconds);
const rounds = Number(args.rounds);

const WARM_UP_MS = 3_000;
const HANG_UP_MS = 1_000;
const MICROPHONE_MS = 20;
const REPORT_EVERY = 50;
const OPUS_SILENCE = Uint8Array.of(0xf8, 0xff, 0xfe);

type Protocol = 'udp' | 'tcp';
interface Measured {
  readonly frames: number;
  readonly sent: number;
  readonly audioMs: readonly number[];
  readonly videoMs: readonly number[];
  /** Share of a core for each session. */
  readonly cpu: number;
}

const front = fork(fileURLToPath(new URL('ice-tcp/front-process.ts', import.meta.url)));
const next = <T extends FromFrontProcess['type']>(type: T): Promise<Extract<FromFrontProcess, { type: T }>> =>
  new Promise((resolve) => {
    const take = (message: FromFrontProcess): void => {
      if (message.type !== type) return;
      front.off('message', take);
      resolve(message as Extract<FromFrontProcess, { type: T }>);
    };
    front.on('message', take);
  });
const tell = (message: ToFrontProcess): void => void front.send(message);
const { udpPort, tcpPort } = await next('ready');

/** When the packet was sent: it stands at the end of what it belongs to. */
const sentAt = ({ payload }: ReceivedPacket): number => payload.readDoubleBE(payload.length - TIME_BYTES);

async function round(protocol: Protocol, first: number): Promise<Measured> {
  const relay = protocol === 'udp' ? await openUdpRelay(udpPort) : await openTcpRelay(tcpPort);
  let counting = false;
  const audioMs: number[] = [];
  const videoMs: number[] = [];
  const clients: LoopbackClient[] = [];
  for (let index = 0; index < sessions; index++) {
    const frames = new Set<number>();
    const client = openLoopbackClient({
      videoCodecs: ['vp8'],
      onAudio: (packet) => void (counting && audioMs.push(packet.arrivedAt - sentAt(packet))),
      onVideo(packet) {
        // The last packet of a frame; the frame may come twice.
        if (!counting || !packet.marker || frames.has(packet.timestamp)) return;
        frames.add(packet.timestamp);
        videoMs.push(packet.arrivedAt - sentAt(packet));
      },
    });
    clients.push(client);
    const answered = next('answer');
    tell({ type: 'offer', session: first + index, sdp: client.offer });
    client.acceptAnswer(relay.route((await answered).sdp));
    await client.connected;
  }
  let packets = 0;
  const microphones = setInterval(() => {
    packets += 1;
    for (const client of clients) {
      client.sendOpus(OPUS_SILENCE, packets);
      if (packets % REPORT_EVERY === 0) client.reportAudio();
    }
  }, MICROPHONE_MS);
  await pause(WARM_UP_MS);
  counting = true;
  tell({ type: 'measure' });
  await pause(seconds * 1_000);
  counting = false;
  const reported = next('report');
  tell({ type: 'report' });
  const report = await reported;
  if (report.paths[protocol] !== sessions) throw new Error(`Not all sessions use ${protocol}.`);
  clearInterval(microphones);
  for (const client of clients) client.close();
  tell({ type: 'hang up' });
  await pause(HANG_UP_MS);
  relay.close();
  return {
    frames: videoMs.length,
    sent: report.frames * sessions,
    audioMs,
    videoMs,
    cpu: report.cpuMs / (report.seconds * 1_000) / sessions,
  };
}

const loop = watchEventLoop();
const host = watchStealTime();
const measured: Record<Protocol, Measured[]> = { udp: [], tcp: [] };
const startedAt = engineNow();
for (let number = 0; number < rounds; number++)
  for (const protocol of ['udp', 'tcp'] as const)
    measured[protocol].push(await round(protocol, (2 * number + (protocol === 'tcp' ? 1 : 0)) * sessions));
const delay = loop.stop();

console.log(
  `${sessions} sessions at a time, ${rounds} rounds of ${seconds} s each way in ${((engineNow() - startedAt) / 1_000).toFixed(0)} s; delays from the transport's input to the client, ms.`,
);
printTable(
  [
    'path',
    'frames/s a session',
    'of those sent',
    'audio p50',
    'p95',
    'p99',
    'frames p50',
    'p95',
    'p99',
    'CPU a session, % of a core',
  ],
  (['udp', 'tcp'] as const).map((protocol) => {
    const parts = measured[protocol];
    const sum = (of: (part: Measured) => number): number => parts.reduce((total, part) => total + of(part), 0);
    const delays = (of: (part: Measured) => readonly number[]): number[] =>
      [0.5, 0.95, 0.99].map((share) => quantile(parts.flatMap(of), share));
    return [
      protocol.toUpperCase(),
      (sum(({ frames }) => frames) / rounds / seconds / sessions).toFixed(2),
      `${((100 * sum(({ frames }) => frames)) / sum(({ sent }) => sent)).toFixed(1)} %`,
      ...delays(({ audioMs }) => audioMs),
      ...delays(({ videoMs }) => videoMs),
      (100 * sum(({ cpu }) => cpu)) / rounds,
    ];
  }),
);
console.log(
  `Clients' event-loop delay p50 ${delay.p50.toFixed(1)}, p99 ${delay.p99.toFixed(1)} ms. ${stealTimeLine(host.stop())}`,
);
front.disconnect();
process.exit(0);
