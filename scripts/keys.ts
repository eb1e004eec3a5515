/** API keys from the command line: `node scripts/keys.ts create|list|revoke`. Works while the service runs. */
import { setPrivateUmask } from '../control/store/data-folder.ts';
import { runKeys } from './keys/run-keys.ts';

setPrivateUmask();
const { stdout, stderr, status } = await runKeys(process.argv.slice(2), process.env);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = status;
