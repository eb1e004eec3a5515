/** Runs one attack in a process of its own, so that what it costs is not measured as the service's or its clients'. */
import type { ServiceAddress } from '../lib/conversation.ts';
import { ATTACKS } from './attacks/index.ts';

const [name, service] = process.argv.slice(2);
const attack = ATTACKS.find((known) => known.name === name);
if (attack === undefined || service === undefined) throw new Error(`There is no attack ${name}.`);
let outcome: string;
try {
  outcome = await attack.run(JSON.parse(service) as ServiceAddress);
} catch (error) {
  const { message, cause } = error as Error;
  outcome = cause instanceof Error ? `${message}: ${cause.message}` : message;
}
process.send?.(outcome, () => process.exit(0));
