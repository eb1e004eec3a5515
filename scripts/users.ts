/** Users from the command line: `node scripts/users.ts create|list|link`. Works while the service runs. */
import { setPrivateUmask } from '../control/store/data-folder.ts';
import { runUsers } from './users/run-users.ts';

setPrivateUmask();
const { stdout, stderr, status } = await runUsers(process.argv.slice(2), process.env);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = status;
