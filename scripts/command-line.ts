/** `npm run parley -- test`, `pull`, `push`, `diff` and `logs`: personas as software, for people and for CI. */
import { parseArgs } from 'node:util';
import { apiOf, CommandError } from './command-line/api.ts';
import { importAccount } from './command-line/import/import-command.ts';
import { diff, pull, push } from './command-line/files-commands.ts';
import { logs } from './command-line/logs-command.ts';
import { runTests } from './command-line/test-command.ts';

const HELP = `Tests personas of a running service, and keeps them as files in git.

  npm run parley -- test PERSONA [--version draft|NUMBER] [--json FILE] [--junit FILE]
  npm run parley -- pull PERSONA FOLDER      writes what is live, with its tools, knowledge and tests
  npm run parley -- diff PERSONA FOLDER      says what a push would change
  npm run parley -- push PERSONA FOLDER      saves the draft, and changes tools, knowledge and tests
                         [--publish NOTE]    and makes it live
  npm run parley -- logs PERSONA [--last N] [--follow]
                         the last sessions (10): version, how each ended, what was said, which tools were called
  npm run parley -- import --from URL --from-key KEY [--update]
                         takes over the personas, tools, knowledge, LLMs and avatars of another account: of the
                         hosted service, or of another Parley

PERSONA is a name or an id. Every command takes --url (or PARLEY_URL, else http://localhost:8080) and --key (or
PARLEY_API_KEY). The key needs the scope "personas"; for folders "tools" and "knowledge", too, and for logs
"sessions". An import also needs --from-key or PARLEY_IMPORT_KEY, and a key of this service that may write all of it.

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
      from: { type: 'string' },
      'from-key': { type: 'string' },
      update: { type: 'boolean' },
      last: { type: 'string', default: '10' },
      follow: { type: 'boolean', short: 'f' },
    },
  });
  const [command, persona, folder] = positionals;
  if (values.help === true || command === undefined) {
    console.log(HELP);
    return values.help === true ? 0 : 2;
  }
  const key = values.key ?? process.env['PARLEY_API_KEY'];
  if (key === undefined) throw new CommandError('Give a key: --key, or PARLEY_API_KEY.');
  if (command === 'import') return importFrom(values, key);
  if (persona === undefined) throw new CommandError('Give the name or the id of a persona.');
  const api = apiOf(values.url ?? process.env['PARLEY_URL'] ?? 'http://localhost:8080', key);
  const print = (line: string): void => console.log(line);
  if (command === 'test') {
    const { version = null, json = null, junit = null } = values;
    return (await runTests(api, { persona, version, json, junit }, print, stopped())) ? 0 : 1;
  }
  if (command === 'logs') {
    await logs(api, { persona, last: Number(values.last), follow: values.follow === true ? 'yes' : 'no' }, print);
    return 0;
  }
  if (!['pull', 'diff', 'push'].includes(command)) throw new CommandError(`There is no command "${command}".`);
  if (folder === undefined) throw new CommandError('Give a folder.');
  if (command === 'diff') return (await diff(api, persona, folder, print)) ? 1 : 0;
  if (command === 'pull') await pull(api, persona, folder, print);
  else await push(api, persona, folder, values.publish ?? null, print);
  return 0;
}

/** Fires at Ctrl-C, and where a CI job is ended. The second time, the command ends at once. */
function stopped(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

/** The key may be in the environment: what stands on a command line, others on the machine can read. */
async function importFrom(
  values: { readonly from?: string; readonly 'from-key'?: string; readonly update?: boolean; readonly url?: string },
  key: string,
): Promise<number> {
  const sourceKey = values['from-key'] ?? process.env['PARLEY_IMPORT_KEY'];
  if (values.from === undefined) throw new CommandError('Give the address of the service to import from: --from.');
  if (sourceKey === undefined) throw new CommandError('Give its key: --from-key, or PARLEY_IMPORT_KEY.');
  const to = apiOf(values.url ?? process.env['PARLEY_URL'] ?? 'http://localhost:8080', key);
  const isWhole = await importAccount(apiOf(values.from, sourceKey), to, values.update === true, (line) =>
    console.log(line),
  );
  return isWhole ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isOurs = error instanceof CommandError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(isOurs ? (error as Error).message : error);
  process.exitCode = 2;
}
