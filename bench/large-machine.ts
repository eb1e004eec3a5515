/**
 * What machines with 4, 16 and 64 cores would be like with `PARLEY_ENGINES=auto`: how evenly the supervisor loads the engine
 * processes, what it takes itself, what passes the network and the memory, and what happens to the calls of a process that
 * is killed. Calls come and end on a simulated clock, from a seed; the number of processes, places, admission, placement
 * and moves are the service's own code. What a session takes is not simulated but taken from other benchmarks
 * (`large-machine/session-use.ts`), and what the supervisor takes for each message is measured here.
 *
 *   node bench/large-machine.ts [--seed 1] [--folder on the disk whose commits are measured]
 */
import { loadavg, tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { measureCommit, ROWS_PER_SECOND } from './large-machine/commit-cost.ts';
import { memoryOf, USE } from './large-machine/session-use.ts';
import { simulateMachine } from './large-machine/simulate-machine.ts';
import { measureSupervisor } from './large-machine/supervisor-cost.ts';
import { looksOf, supervisorShare } from './large-machine/supervisor-share.ts';
import { printTable } from './lib/table.ts';

const MACHINES = [4, 16, 64].map((cores) => ({ cores, memoryBytes: cores * 2 * 1024 ** 3 }));
/** As the sizing guide says: a third of the places is free. And more people than the machine takes. */
const LOADS = [
  { name: 'planned', offered: 2 / 3 },
  { name: 'full', offered: 1.2 },
];

const { values: args } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, folder: { type: 'string', default: tmpdir() } },
});
const cost = await measureSupervisor();
const commitMs = await measureCommit(args.folder);
const loads: (string | number)[][] = [];
const needs: (string | number)[][] = [];
const kills: (string | number)[][] = [];
const percent = (share: number): string =>
  share === 0 ? '0' : (100 * share).toFixed(share < 0.01 ? 2 : share < 0.1 ? 1 : 0);

for (const size of MACHINES) {
  for (const { name, offered } of LOADS) {
    const result = await simulateMachine(size, { offered, seed: Number(args.seed) });
    const { processes, places, sessions, use, kill } = result;
    const machine = `${size.cores}, ${name}`;
    const supervisor = supervisorShare(cost, { sessions, processes, startsPerSecond: result.startsPerSecond });
    loads.push([
      machine,
      processes,
      places,
      Math.round(sessions),
      percent(result.refusedShare),
      `${result.least.toFixed(1)} to ${result.most.toFixed(1)}`,
      percent(result.cores / size.cores),
      `${percent(result.busiestMain)}, ${percent(result.busiestMainAtMost)}`,
      percent(result.mostAtMost * USE.speaking.mainCores),
    ]);
    needs.push([
      machine,
      percent(supervisor.all),
      `${percent(supervisor.journals)}, ${percent(supervisor.tunnels)}`,
      percent(looksOf(processes, cost)),
      sessions * ROWS_PER_SECOND,
      percent((sessions * ROWS_PER_SECOND * commitMs) / 1000),
      Math.round(use.packetsIn),
      Math.round(use.packetsOut),
      `${Math.round(use.kbitIn / 1000)}, ${Math.round(use.kbitOut / 1000)}`,
      memoryOf(processes, sessions) / 1024 ** 3,
      use.pictureBytes / 1e9,
    ]);
    kills.push([
      machine,
      kill.calls,
      kill.lost,
      (kill.tookMs / 1000).toFixed(1),
      kill.overflow,
      percent(kill.busiestMainAtMost),
    ]);
  }
}

printTable(
  [
    'Cores, load',
    'processes',
    'places',
    'sessions',
    'refused, %',
    'least to most of a process',
    'cores used, %',
    'busiest main thread, %: mean, most',
    'if all speak',
  ],
  loads,
);
console.log('');
printTable(
  [
    'Cores, load',
    'supervisor, % of a core',
    'of it journals, tunnels',
    'looks at the machine, % of a core',
    'rows/s',
    'SQLite busy, %',
    'packets/s in',
    'out',
    'Mbit/s in, out',
    'memory, GB',
    'pictures, GB/s at most',
  ],
  needs,
);
console.log('');
printTable(
  ['Cores, load', 'calls of the killed process', 'lost', 's until all went on', 'above places', 'busiest main, %'],
  kills,
);
const each = Object.entries(cost).map(([name, us]) => `${name} ${us.toFixed(1)}`);
console.log(
  `\nµs of CPU for each: ${each.join(', ')}. A commit takes ${commitMs.toFixed(1)} ms. Load average ${loadavg()[0]!.toFixed(1)}.`,
);
