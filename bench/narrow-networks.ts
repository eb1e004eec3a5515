/**
 * How long the video freezes on narrow, slow and lossy networks, over many calls: the real sender and congestion
 * control, with a simulated link and browser on a simulated clock. It shows the spread of what network-adaptation.ts
 * measures with a real browser in one call. The load of the machine does not matter.
 *
 *   node bench/narrow-networks.ts [--calls 50]
 */
import { parseArgs } from 'node:util';
import { simulateCall, type CallConditions } from '../engine/transport/testing/simulated-call.ts';
import { quantile } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({ options: { calls: { type: 'string', default: '50' } } });
const calls = Number(args.calls);
const FREEZE_MS = 300;

const networks: readonly Omit<CallConditions, 'seed'>[] = [
  { bitsPerSecond: 400_000, delayMs: 50, loss: 0.05 },
  { bitsPerSecond: 400_000, delayMs: 50, loss: 0.05, retransmissions: false },
  { bitsPerSecond: 400_000, delayMs: 50, loss: 0 },
  { bitsPerSecond: 400_000, delayMs: 50, loss: 0.1 },
  { bitsPerSecond: 400_000, delayMs: 15, loss: 0.05 },
  { bitsPerSecond: 400_000, delayMs: 100, loss: 0.05 },
  { bitsPerSecond: 700_000, delayMs: 50, loss: 0.05 },
  { bitsPerSecond: 2_000_000, delayMs: 50, loss: 0.05 },
];

const rows = networks.map((network) => {
  const seen = Array.from({ length: calls }, (_, index) => simulateCall({ ...network, seed: index + 1 }));
  const gaps = seen.map(({ longestGapMs }) => longestGapMs);
  const mean = (of: (call: (typeof seen)[number]) => number): number =>
    seen.reduce((sum, call) => sum + of(call), 0) / calls;
  process.stderr.write('.');
  return [
    `${network.bitsPerSecond / 1_000} kbit/s, ${network.delayMs} ms, ${network.loss * 100} %${network.retransmissions === false ? ', no RTX' : ''}`,
    quantile(gaps, 0.5),
    quantile(gaps, 0.95),
    Math.max(...gaps),
    gaps.filter((ms) => ms > FREEZE_MS).length / calls,
    mean(({ perSecond }) => perSecond),
    mean(({ videoBitrate }) => videoBitrate / 1_000),
    mean(({ rtxBitrate }) => rtxBitrate / 1_000),
  ];
});
process.stderr.write('\n');
console.log(`${calls} simulated calls of 20 s on each network, H.264. No time of this machine is in it.`);
printTable(
  [
    'network',
    'longest gap p50, ms',
    'p95',
    'max',
    `calls with more than ${FREEZE_MS}`,
    'frames/s',
    'frames, kbit/s',
    'retransmissions, kbit/s',
  ],
  rows,
);
