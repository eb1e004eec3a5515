import { setTimeout as pause } from 'node:timers/promises';
import { engineNow } from '../../../runtime/clock.ts';
import { processTree } from '../../lib/process-tree.ts';
import { Counts, repeat, type Disturbance, type Incident } from './disturbance.ts';
import type { Pace } from './pace.ts';

/** Kills one of the service's processes at random, as the system does without memory. */
export function startKills(pid: number, incidents: Incident[], { killMs: { least, most } }: Pace): Disturbance {
  const counts = new Counts();
  return repeat(counts, async (signal) => {
    await pause(least + Math.random() * (most - least), null, { signal });
    const children = processTree(pid).slice(1);
    const victim = children[Math.floor(Math.random() * children.length)];
    if (victim === undefined) return;
    process.kill(victim.pid, 'SIGKILL');
    counts.add(victim.name);
    incidents.push({ at: engineNow(), what: `${victim.name} was killed` });
  });
}
