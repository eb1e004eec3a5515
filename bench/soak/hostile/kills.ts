import { setTimeout as pause } from 'node:timers/promises';
import { engineNow } from '../../../runtime/clock.ts';
import { processTree } from '../../lib/process-tree.ts';
import { Counts, repeat, type Disturbance, type Incident } from './disturbance.ts';

/** Time between two kills, ms. A killed process is back after a few seconds. */
const LEAST_MS = 15_000;
const MOST_MS = 45_000;

/** Kills one of the service's processes at random, as the system does without memory. */
export function startKills(pid: number, incidents: Incident[]): Disturbance {
  const counts = new Counts();
  return repeat(counts, async (signal) => {
    await pause(LEAST_MS + Math.random() * (MOST_MS - LEAST_MS), null, { signal });
    const children = processTree(pid).slice(1);
    const victim = children[Math.floor(Math.random() * children.length)];
    if (victim === undefined) return;
    process.kill(victim.pid, 'SIGKILL');
    counts.add(victim.name);
    incidents.push({ at: engineNow(), what: `${victim.name} was killed` });
  });
}
