/** `npm run parley -- test`, `pull`, `push` and `diff`: personas as software, for people and for CI. */
import { parseArgs } from 'node:util';
import { apiOf, CommandError } from './command-line/api.ts';
import { diff, pull, push } from './command-line/files-commands.ts';
import { runTests } from './command-line/test-command.ts';

const HELP = `Tests personas of a running service, and keeps them as files in git.

  npm run parley -- test PERSONA [--version draft|NUMBER] [--json FILE] [--junit FILE]
  npm run parley -- pull PERSONA FOLDER      writes what is live, and its tests
  npm run parley -- diff PERSONA FOLDER      says what a push would change
  npm run parley -- push PERSONA FOLDER      saves the draft and the tests
                         [--publish NOTE]    and makes it live

PERSONA is a name or an id. Every command takes --url (or PARLEY_URL, else http://localhost:8080) and --key (or
PARLEY_API_KEY), a key with the scope "personas".

Exit status: 0 all passed, nothing differs, or done; 1 a test has failed, or something differs; 2 it could not be done.`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      url: { type: 'string' },
      key: { type: 'string' },
      version: { type: 'string' },
      json: { type: 'string' },
      junit: { type: 'string' },
      publish: { type: 'string' },
    },
  });
  const [command, persona, folder] = positionals;
  if (values.help === true || command === undefined) {
    console.log(HELP);
    return values.help === true ? 0 : 2;
  }
  const key = values.key ?? process.env['PARLEY_API_KEY'];
  if (key === undefined) throw new CommandError('Give a key: --key, or PARLEY_API_KEY.');
  if (persona === undefined) throw new CommandError('Give the name or the id of a persona.');
  const api = apiOf(values.url ?? process.env['PARLEY_URL'] ?? 'http://localhost:8080', key);
  const print = (line: string): void => console.log(line);
  if (command === 'test') {
    const { version = null, json = null, junit = null } = values;
    return (await runTests(api, { persona, version, json, junit }, print)) ? 0 : 1;
  }
  if (!['pull', 'diff', 'push'].includes(command)) throw new CommandError(`There is no command "${command}".`);
  if (folder === undefined) throw new CommandError('Give a folder.');
  if (command === 'diff') return (await diff(api, persona, folder, print)) ? 1 : 0;
  if (command === 'pull') await pull(api, persona, folder, print);
  else await push(api, persona, folder, values.publish ?? null, print);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isOurs = error instanceof CommandError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(isOurs ? (error as Error).message : error);
  process.exitCode = 2;
}
