/**
 * Everybody but the users whose conversations are looked at: visitors who come and go, and clients that flood the
 * service. A process of its own, so that those users hear and speak in time whatever goes on here. Gets the address of
 * the service and, at the end, the word to stop.
 */
import { once } from 'node:events';
import type { ServiceAddress } from '../../lib/call-api.ts';
import { startChurn } from './churn.ts';
import { startMessageFlood, startRequestFlood } from './floods.ts';

export type FromStrangers =
  | { readonly type: 'incident'; readonly what: string }
  /** What happened, by name. */
  | { readonly type: 'counts'; readonly counts: readonly (readonly [string, number])[] };

const send = (message: FromStrangers, sent: () => void = () => undefined): void => void process.send?.(message, sent);
const began = (what: string): void => send({ type: 'incident', what });

// The soak is gone: nobody is left to stop them.
process.once('disconnect', () => process.exit(1));

const [service] = (await once(process, 'message')) as [ServiceAddress];
const disturbances = [startChurn(service), startMessageFlood(service, began), startRequestFlood(service, began)];
await once(process, 'message');
await Promise.all(disturbances.map((disturbance) => disturbance.stop()));
send({ type: 'counts', counts: disturbances.flatMap(({ counts }) => [...counts]) }, () => process.exit(0));
