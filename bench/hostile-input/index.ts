/**
 * How attacks affect other users: the whole service is attacked during conversations. Each attack gets its own service.
 * Prints how much memory the attack took and whether it was freed, the longest stall of the service's event loop, how
 * late the other users' frames were, and whether one of their questions got no answer. Exits with 1 beyond the limits
 * below. The attacker is a process of the same machine: its own share of the processor is printed, and
 * `--attacker-nice 19` gives it only what the service leaves.
 *
 *   node bench/hostile-input/index.ts [--only NAME,NAME] [--conversations 10] [--attacker-nice 0]
 *
 * If it is started in the folder of another version, it measures the service of that version.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { stealTimeLine, MAX_STEAL_SHARE } from '../lib/steal-time.ts';
import { printTable } from '../lib/table.ts';
import { ATTACKS } from './attacks/index.ts';
import { measure, type Measured } from './measure.ts';

/** Lateness of the other users' frames, p99: until the next frame is due (as in `soak.ts`). */
const LATE_P99_MS = 40;
/** Latest frame of sound of anybody: browsers conceal three missing frames. */
const SOUND_GAP_MS = 60;
/** Longest stall of the event loop. Browsers buffer a few times more. */
const STALL_MS = 50;
/** Memory that may remain after an attack, because heaps do not shrink fully. */
const LEFT_MB = 100;
/** An answer is due in about 1 s. */
const SLOWEST_ANSWER_MS = 5_000;

const { values: args } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    conversations: { type: 'string', default: '10' },
    'attacker-nice': { type: 'string', default: '0' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (args.help === true) {
  console.log(
    'node bench/hostile-input/index.ts [--only NAME,NAME] [--conversations 10] [--attacker-nice 0]\n\nAttacks:',
  );
  for (const { name, what } of ATTACKS) console.log(`  ${name.padEnd(22)} ${what}`);
  process.exit(0);
}
const wanted = args.only.split(',').filter(Boolean);
const unknown = wanted.filter((name) => !ATTACKS.some((attack) => attack.name === name));
if (unknown.length > 0) {
  console.error(`There is no attack ${unknown.join(', ')}. --help lists them.`);
  process.exit(2);
}

function problems({ attack, died, memory, stall, frames, turns, stolen }: Measured): string[] {
  const judged = stolen <= MAX_STEAL_SHARE;
  const found = [
    ...(died === null ? [] : [`the service ended: ${died}`]),
    ...(turns.lost > 0 ? [`${turns.lost} questions of the others were not answered`] : []),
    ...(memory.after - memory.before > LEFT_MB
      ? [`${(memory.after - memory.before).toFixed(0)} MB did not come back (bound ${LEFT_MB})`]
      : []),
    ...(judged && stall.attacked > STALL_MS
      ? [`the event loop stood for ${stall.attacked.toFixed(0)} ms (bound ${STALL_MS})`]
      : []),
    ...(judged && turns.slowest > SLOWEST_ANSWER_MS
      ? [`an answer took ${(turns.slowest / 1_000).toFixed(1)} s (bound ${SLOWEST_ANSWER_MS / 1_000})`]
      : []),
    ...(judged && frames.attacked.audio.max > SOUND_GAP_MS
      ? [`sound came ${frames.attacked.audio.max.toFixed(0)} ms late (bound ${SOUND_GAP_MS})`]
      : []),
    ...(['audio', 'video'] as const)
      .filter((kind) => judged && frames.attacked[kind].p99 > LATE_P99_MS)
      .map((kind) => `${kind} frames were late: p99 ${frames.attacked[kind].p99.toFixed(0)} ms (bound ${LATE_P99_MS})`),
  ];
  return found.map((text) => `${attack.name}: ${text}.`);
}

const conversations = Number(args.conversations);
const measured: Measured[] = [];
for (const attack of ATTACKS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  console.error(`${attack.name}: ${attack.what} …`);
  const result = await measure(attack, conversations, Number(args['attacker-nice']));
  measured.push(result);
  console.error(`  ${result.outcome.text}. ${stealTimeLine(result.stolen, 'lateness and stalls are not judged')}`);
}

console.log(`\nBeside ${conversations} conversations, load average ${loadavg()[0]?.toFixed(1)}; calm → attacked:`);
const arrow = (calm: number, attacked: number): string => `${calm.toFixed(0)} → ${attacked.toFixed(0)}`;
printTable(
  [
    'attack',
    'attacker cores',
    'service MB: before, peak, after',
    'its processes MB',
    'longest stall, ms',
    'sound late p99, ms',
    'latest sound, ms',
    'frames late p99, ms',
    'missed',
    'answers, lost',
    'slowest answer, ms',
  ],
  measured.map(({ attack, outcome, memory, children, stall, frames, turns }) => [
    attack.what,
    outcome.cpuShare?.toFixed(2) ?? '?',
    [memory.before, memory.peak, memory.after].map((mb) => mb.toFixed(0)).join(', '),
    arrow(children.before, children.peak),
    arrow(stall.before, stall.attacked),
    arrow(frames.calm.audio.p99, frames.attacked.audio.p99),
    arrow(frames.calm.audio.max, frames.attacked.audio.max),
    arrow(frames.calm.video.p99, frames.attacked.video.p99),
    frames.attacked.audio.missed + frames.attacked.video.missed,
    `${turns.asked - turns.lost}, ${turns.lost}`,
    arrow(turns.usual, turns.slowest),
  ]),
);
for (const { attack, outcome } of measured) console.log(`${attack.name}: ${outcome.text}.`);
const found = measured.flatMap(problems);
for (const problem of found) console.error(problem);
process.exit(found.length > 0 ? 1 : 0);
