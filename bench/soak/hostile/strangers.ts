/**
 * All clients except for the measured users: visitors who come and go, and clients that flood the service. They have
 * their own process, so that they do not delay the measured users. It gets the address of the service with
 * the pace, and, at the end, the message to stop.
 */
import { once } from 'node:events';
import type { ServiceAddress } from '../../lib/call-api.ts';
import { startChurn } from './churn.ts';
import type { Pace } from './pace.ts';
import { startMessageFlood, startRequestFlood } from './floods.ts';

export interface ToStrangers {
  readonly service: ServiceAddress;
  readonly pace: Pace;
}

export type FromStrangers =
  | { readonly type: 'incident'; readonly what: string }
  /** Counts by name. */
  | { readonly type: 'counts'; readonly counts: readonly (readonly [string, number])[] };

const send = (message: FromStrangers, sent: () => void = () => undefined): void => void process.send?.(message, sent);
const began = (what: string): void => send({ type: 'incident', what });

// The bench has ended, so nothing else would stop them.
process.once('disconnect', () => process.exit(1));

const [{ service, pace }] = (await once(process, 'message')) as [ToStrangers];
const disturbances = [
  startChurn(service, pace),
  startMessageFlood(service, pace, began),
  startRequestFlood(service, pace, began),
];
await once(process, 'message');
await Promise.all(disturbances.map((disturbance) => disturbance.stop()));
send({ type: 'counts', counts: disturbances.flatMap(({ counts }) => [...counts]) }, () => process.exit(0));
