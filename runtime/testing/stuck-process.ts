/**
 * A process that watches itself with a limit of its first argument, ms, and then hangs (`hangs`) or works (`works`).
 */
import { engineNow } from '../clock.ts';
import { startWatchdog } from '../watchdog.ts';

const [limitMs, what] = process.argv.slice(2);
startWatchdog(Number(limitMs));
process.stdout.write('watched\n');
// The thread that watches needs some tenths of a second to start.
setTimeout(() => {
  for (const began = engineNow(); what === 'hangs' || engineNow() < began + Number(limitMs) / 2;);
  process.exit(0);
}, Number(limitMs));
