/** `node bench/conversation-quality/index.ts`: plays every script and prints the table. */
import { measure, type Measures, type Rate } from './measures.ts';
import { playScript } from './play-script.ts';
import { SETS, scriptsOf } from './script.ts';

interface Row {
  readonly name: string;
  readonly aim: string;
  readonly value: (measures: Measures) => string;
}

const ROWS: readonly Row[] = [
  { name: 'L_R  response latency, s', aim: '', value: (measures) => seconds(measures.responseLatency) },
  { name: 'L_Y  yield latency, s', aim: '', value: (measures) => seconds(measures.yieldLatency) },
  { name: 'R_R  turns answered', aim: '', value: (measures) => share(measures.responseRate) },
  { name: 'R_Y  interruptions yielded to', aim: '≥ 0.95', value: (measures) => share(measures.yieldRate) },
  { name: 'I_A  persona interrupts, per turn', aim: '≤ 0.02', value: (measures) => share(measures.interruptions) },
  { name: 'S_BC talks through backchannels', aim: '≥ 0.95', value: (measures) => share(measures.backchannel) },
  { name: 'S_VT ignores coughs and tics', aim: '≥ 0.9', value: (measures) => share(measures.tic) },
  { name: 'S_ND ignores side talk', aim: '≥ 0.9', value: (measures) => share(measures.sideTalk) },
  { name: '     takes a pause for the end (own)', aim: '', value: (measures) => share(measures.pausesTaken) },
  { name: '     ignores noise (own)', aim: '', value: (measures) => share(measures.noise) },
];

function seconds(value: number | null): string {
  return value === null ? '–' : value.toFixed(2);
}

function share({ good, of }: Rate): string {
  // As on the public leaderboard: rates of fewer than ten events are not shown.
  return of < 10 ? `– (${of})` : `${(good / of).toFixed(3)} (${of})`;
}

const played = SETS.map((set) => ({ set, conversations: scriptsOf(set).map(playScript) }));
const columns = played.flatMap(({ set, conversations }) =>
  (['audible', 'silent'] as const).map((ducked) => ({ set, ducked, measures: measure(conversations, ducked) })),
);

console.log(
  'Simulated users against the session machines; no sound, no network: what is measured is what they decide.',
);
console.log(
  '"audible": a lowered voice (−20 dB) counts as going on, which it does. "silent": the same conversations, counted as if lowering were stopping.\n',
);
console.log(
  ['measure'.padEnd(38), 'aim'.padEnd(8), ...columns.map(({ set, ducked }) => `${set}, ${ducked}`.padEnd(20))].join(''),
);
for (const row of ROWS)
  console.log(
    [row.name.padEnd(38), row.aim.padEnd(8), ...columns.map(({ measures }) => row.value(measures).padEnd(20))].join(''),
  );
for (const { set, conversations } of played) {
  const missed = conversations.reduce((sum, conversation) => sum + conversation.missed, 0);
  console.log(
    `\n${set}: ${conversations.length} conversations, ${(conversations.reduce((sum, { lengthMs }) => sum + lengthMs, 0) / 60_000).toFixed(1)} min; ${missed} acts found no occasion.`,
  );
}
