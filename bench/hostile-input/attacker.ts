/**
 * Runs one attack in a process of its own, so that its cost does not count for the service or its clients. Prints
 * `ready`, waits for the address of the service, and prints the outcome.
 */
import { once } from 'node:events';
import type { ServiceAddress } from '../lib/call-api.ts';
import { ATTACKS } from './attacks/index.ts';

const name = process.argv[2];
const attack = ATTACKS.find((known) => known.name === name);
if (attack === undefined) throw new Error(`There is no attack ${name}.`);
const run = await attack.prepare();
const told = once(process, 'message');
process.send?.('ready');
const [service] = (await told) as [ServiceAddress];
const outcome = await run(service).catch((error: Error) =>
  error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message,
);
process.send?.(outcome, () => process.exit(0));
