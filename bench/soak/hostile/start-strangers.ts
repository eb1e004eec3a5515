import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { engineNow } from '../../../runtime/clock.ts';
import type { ServiceAddress } from '../../lib/call-api.ts';
import { Counts, type Disturbance, type Incident } from './disturbance.ts';
import type { Pace } from './pace.ts';
import type { FromStrangers, ToStrangers } from './strangers.ts';

/** Starts the strangers of a service in another process. */
export function startStrangers({ url, apiKey }: ServiceAddress, incidents: Incident[], pace: Pace): Disturbance {
  const counts = new Counts();
  const child = fork(fileURLToPath(new URL('strangers.ts', import.meta.url)));
  const ended = once(child, 'exit');
  child.on('message', (message: FromStrangers) => {
    if (message.type === 'incident') incidents.push({ at: engineNow(), what: message.what });
    else for (const [name, times] of message.counts) counts.add(name, times);
  });
  child.send({ service: { url, apiKey }, pace } satisfies ToStrangers);
  return {
    counts,
    async stop() {
      if (child.connected) child.send('stop');
      await ended;
    },
  };
}
