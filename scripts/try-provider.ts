/** `node scripts/try-provider.ts`: makes real requests to a provider, with the client that the service uses. */
import { runTry } from './try-provider/run-try.ts';

process.exitCode = await runTry(process.argv.slice(2), process.env, (line) => console.log(line));
// Clients keep connections for the next sentence; there is none.
process.exit();
