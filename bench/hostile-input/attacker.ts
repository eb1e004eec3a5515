/**
 * Runs one attack in a process of its own, so that its cost does not count for the service or its clients. Prints
 * `ready`, waits for the address of the service, and prints the outcome.
 */
import { once } from 'node:events';
import { engineNow } from '../../runtime/clock.ts';
import type { ServiceAddress } from '../lib/call-api.ts';
import type { Outcome } from './attack.ts';
import { ATTACKS } from './attacks/index.ts';

const name = process.argv[2];
const attack = ATTACKS.find((known) => known.name === name);
if (attack === undefined) throw new Error(`There is no attack ${name}.`);
const run = await attack.prepare();
const told = once(process, 'message');
process.send?.('ready');
const [service] = (await told) as [ServiceAddress];
const [cpu, began] = [process.cpuUsage(), engineNow()];
const text = await run(service).catch((error: Error) =>
  error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message,
);
const { user, system } = process.cpuUsage(cpu);
const outcome: Outcome = { text, cpuShare: (user + system) / 1_000 / (engineNow() - began) };
process.send?.(outcome, () => process.exit(0));
