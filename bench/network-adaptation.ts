/**
 * How the video adapts to a narrow, slow and lossy network, and how soon it recovers: the real engine and a speaking
 * face in Chromium, with a link of 400 kbit/s, 50 ms delay and 5 % loss for some time. Exits with 1 when an aim is
 * missed, unless the host took too much of the machine's time.
 *
 *   node bench/network-adaptation.ts [--codec h264] [--quality auto] [--kbit 400] [--loss 0.05] [--delay 50] [--seconds 20]
 */
import { parseArgs } from 'node:util';
import { launchBrowser } from '../engine/testing/browser.ts';
import { connectPage, openSocket } from '../e2e/support/raw-session.ts';
import { engineNow } from '../runtime/clock.ts';
import { LOOPBACK_FLAGS, type BrowserStats } from '../engine/transport/testing/browser-client.ts';
import { NarrowLink, type LinkLimits } from '../engine/transport/testing/narrow-link.ts';
import { openUdpRelay } from '../engine/transport/testing/udp-relay.ts';
import { createFakeLlm, fakeRecognizer } from '../models/fakes/index.ts';
import { startBenchEngine } from './lib/bench-engine.ts';
import { benchSession } from './lib/bench-session.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { MAX_STEAL_SHARE, stealTimeLine, watchStealTime } from './lib/steal-time.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: {
    codec: { type: 'string', default: 'h264' },
    quality: { type: 'string', default: 'auto' },
    kbit: { type: 'string', default: '400' },
    loss: { type: 'string', default: '0.05' },
    delay: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
  },
});
const squeezed: LinkLimits = {
  bitsPerSecond: Number(args.kbit) * 1_000,
  delayMs: Number(args.delay),
  loss: Number(args.loss),
  queueMs: 300,
};
const seconds = Number(args.seconds);

/** Enough text for the whole measurement. */
const SPEECH =
  'The persona goes on talking so that the video has something to show, and does not stop before the end. '.repeat(40);
const WINDOW_MS = 500;
/** A frame counts as recovered when it has this share of the detail from before. Windows differ by 3 %. */
const AS_GOOD = 0.95;
/** Longest time between two frames while the network is narrow. */
const MAX_GAP_MS = 300;
/** Time until full quality after it. */
const BACK_WITHIN_S = 5;
const WATCHED_AFTER_S = 12;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Window {
  readonly at: number;
  readonly kbit: number;
  readonly frames: number;
  /** Mean quantizer of the frame headers; NaN without frames. For VP8 it is the quantizer of the encoder's options. */
  readonly quantizer: number;
  readonly detail: number;
}

const bench = await startBenchEngine({
  recognizer: fakeRecognizer({ utterances: [] }),
  synthesizer: {},
  videoCodecs: [args.codec === 'vp8' ? 'vp8' : 'h264'],
});
const relay = await openUdpRelay(bench.udpPort);
const browser = await launchBrowser({ args: LOOPBACK_FLAGS });
const config = benchSession({
  avatar: { avatarId: 'bench', model: 'cara-3', engineKey: bench.engineKey },
  videoQuality: args.quality === 'high' ? 'high' : 'auto',
});
await bench.engine.createSession(config, {
  llm: createFakeLlm({ answers: () => [] }),
  knowledge: { search: async () => [] },
});
const socket = await openSocket({ sessionId: config.sessionId, url: `${bench.url}?session_id=${config.sessionId}` });
const client = await connectPage(browser.page, () => ({
  ...socket,
  offer: async (sdp) => relay.route(await socket.offer(sdp)),
}));

const windows: Window[] = [];
let before: BrowserStats = await client.stats();
const sampling = setInterval(() => {
  void Promise.all([client.stats(), client.detail()]).then(([stats, detail]) => {
    const frames = stats.framesDecoded - before.framesDecoded;
    windows.push({
      at: engineNow(),
      kbit: ((stats.videoBytes - before.videoBytes) * 8) / WINDOW_MS,
      frames,
      quantizer: (stats.quantizerSum - before.quantizerSum) / frames,
      detail,
    });
    before = stats;
  });
}, WINDOW_MS);

/** Waits. @returns the measurements of this time. */
async function phase(name: string, ms: number) {
  const from = engineNow();
  const freezesBefore = (await client.stats()).freezes;
  const loop = watchEventLoop();
  await pause(ms);
  const to = engineNow();
  const shown = (await client.framesShown()).filter((at) => at >= from && at <= to);
  const seen = windows.filter(({ at }) => at >= from + WINDOW_MS && at <= to);
  const mean = (of: (window: Window) => number): number =>
    seen.reduce((sum, window) => sum + of(window), 0) / seen.length;
  return {
    name,
    from,
    seen,
    detail: mean(({ detail }) => detail),
    quantizer:
      seen.reduce((sum, { quantizer, frames }) => sum + (frames > 0 ? quantizer * frames : 0), 0) /
      seen.reduce((sum, { frames }) => sum + frames, 0),
    kbit: mean(({ kbit }) => kbit),
    perSecond: (shown.length * 1_000) / ms,
    longestGap: Math.max(0, ...shown.slice(1).map((at, index) => at - shown[index]!)),
    freezes: (await client.stats()).freezes - freezesBefore,
    loop: loop.stop().p99,
  };
}

await pause(1_000);
const host = watchStealTime();
bench.engine.talk(config.sessionId, SPEECH);
const start = await phase('free, first seconds', 8_000);
const free = await phase('free', 8_000);
const there = new NarrowLink(squeezed);
const back = new NarrowLink({ ...squeezed, bitsPerSecond: 10e6 });
relay.setFate((direction, datagram) => (direction === 'to-client' ? there : back).fate(datagram.length, engineNow()));
const narrow = await phase(`${args.kbit} kbit/s, ${args.delay} ms, ${Number(args.loss) * 100} %`, seconds * 1_000);
relay.setFate(() => 'pass');
const after = await phase('free again', WATCHED_AFTER_S * 1_000);
clearInterval(sampling);
const stolen = host.stop();

console.log(`A talking face, ${args.codec}, quality ${args.quality}, 720×480.`);
printTable(
  ['network', 'kbit/s', 'frames/s', 'mean quantizer', 'detail', 'longest gap, ms', 'freezes', 'loop p99, ms'],
  [start, free, narrow, after].map((p) => [
    p.name,
    p.kbit,
    p.perSecond,
    args.codec === 'vp8' ? '–' : p.quantizer,
    p.detail,
    p.longestGap,
    p.freezes,
    p.loop,
  ]),
);
const whole = after.seen.findIndex((window, index) =>
  [window, after.seen[index + 1]].every((w) => w !== undefined && w.detail >= free.detail * AS_GOOD),
);
const backAfter = whole < 0 ? Infinity : ((after.seen[whole]?.at ?? 0) - after.from) / 1_000;
const aims = [
  { what: `longest time between two frames while narrow, ms`, aim: MAX_GAP_MS, measured: narrow.longestGap },
  {
    what: `full quality back (${AS_GOOD * 100} % of the detail of before), s`,
    aim: BACK_WITHIN_S,
    measured: backAfter,
  },
];
console.log('');
printTable(
  ['aim', 'at most', 'measured', 'met'],
  aims.map(({ what, aim, measured }) => [
    what,
    aim,
    measured === Infinity ? `more than ${WATCHED_AFTER_S}` : measured,
    measured <= aim ? 'yes' : 'NO',
  ]),
);
const judged = stolen <= MAX_STEAL_SHARE;
console.log(stealTimeLine(stolen, 'nothing is judged'));
if (process.env['PARLEY_BENCH_TRACE'])
  for (const { at, kbit, frames, quantizer, detail } of windows)
    console.log(
      ((at - start.from) / 1_000).toFixed(1),
      kbit.toFixed(0),
      frames,
      quantizer.toFixed(1),
      detail.toFixed(3),
    );
await browser.close();
relay.close();
await bench.close();
process.exit(!judged || aims.every(({ aim, measured }) => measured <= aim) ? 0 : 1);
