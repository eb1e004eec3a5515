import { fileURLToPath } from 'node:url';
import { importViolations } from './imports/import-violations.ts';

/** Part of `npm run lint`: prints each forbidden import and why it is forbidden. Prints nothing when there is none. */
const violations = await importViolations(fileURLToPath(new URL('..', import.meta.url)));
for (const { rule, reason, path } of violations) console.error(`${rule}: ${path.join(' → ')}\n  ${reason}`);
process.exitCode = violations.length === 0 ? 0 : 1;
