import { parseArgs } from 'node:util';
import {
  createApiKey,
  ENTITLEMENTS,
  listApiKeys,
  organizationNamed,
  revokeApiKey,
} from '../../control/access/api-keys.ts';
import { DEFAULT_SCOPES, isScope, SCOPES } from '../../control/api/scopes.ts';
import { DEFAULT_ORGANIZATION } from '../../control/app/first-key.ts';
import { readSettings } from '../../control/settings/settings.ts';
import type { Store } from '../../control/store/open.ts';
import { openDatabase } from '../database-command/open-database.ts';
import { type Done, runCommand, UsageError, type Warn } from '../database-command/run-command.ts';

const HELP = `Manages API keys. The key itself is shown once, when it is made.

  npm run keys -- create --name NAME [--organization NAME] [--scopes a,b:read] [--without x,y]
  npm run keys -- list
  npm run keys -- revoke ID [--with-tokens]

In the container image, which has no npm: node scripts/keys.ts create --name NAME …

  --organization  made when it does not exist. Default: ${DEFAULT_ORGANIZATION}
  --scopes        of ${SCOPES.join(', ')}; ":read" limits one to reading. Default: all but ${SCOPES.filter((scope) => !DEFAULT_SCOPES.includes(scope)).join(', ')}
  --without       what a new organization may not use: ${ENTITLEMENTS.join(', ')}
  --with-tokens   also ends the session tokens that the key has minted

PARLEY_DATA_DIR or DATABASE_URL say where the keys are, as for the service itself. "create" makes a database where there is none.`;

const COMMANDS = ['create', 'list', 'revoke'];

async function create(
  store: Store,
  options: {
    name?: string | undefined;
    organization?: string | undefined;
    scopes?: string | undefined;
    without?: string | undefined;
  },
): Promise<string> {
  if (options.name === undefined || options.name.trim() === '')
    throw new UsageError('--name is needed: what uses the key, for example --name shop');
  if (options.organization?.trim() === '') throw new UsageError('--organization has no name');
  const scopes = options.scopes?.split(',').map((scope) => scope.trim()) ?? [...DEFAULT_SCOPES];
  const unknown = scopes.filter((scope) => !isScope(scope));
  if (unknown.length > 0) throw new UsageError(`Not a scope: ${unknown.join(', ')}. There are: ${SCOPES.join(', ')}`);
  const without = options.without?.split(',').map((name) => name.trim()) ?? [];
  const strange = without.filter((name) => !(ENTITLEMENTS as readonly string[]).includes(name));
  if (strange.length > 0)
    throw new UsageError(`Not an entitlement: ${strange.join(', ')}. There are: ${ENTITLEMENTS.join(', ')}`);
  const now = Date.now();
  const organizationId = await organizationNamed(
    store,
    options.organization ?? DEFAULT_ORGANIZATION,
    now,
    ENTITLEMENTS.filter((name) => !without.includes(name)),
  );
  const { id, key } = await createApiKey(store, { organizationId, name: options.name, scopes, now });
  return `id   ${id}\nkey  ${key}\n\nThe key is not shown again.`;
}

async function list(store: Store): Promise<string> {
  const keys = await listApiKeys(store);
  const lines = keys.map((key) =>
    [
      key.id,
      key.organizationName,
      key.name,
      key.scopes.join(','),
      `made ${key.createdAt.slice(0, 10)}`,
      key.lastUsedAt === null ? 'never used' : `used ${key.lastUsedAt.slice(0, 10)}`,
      key.revokedAt === null ? '' : 'revoked',
    ]
      .join('  ')
      .trimEnd(),
  );
  return lines.length === 0 ? 'There are no keys yet.' : lines.join('\n');
}

async function revoke(store: Store, id: string | undefined, withTokens: boolean): Promise<string> {
  if (id === undefined) throw new UsageError('The id of the key is needed; "list" shows it');
  if (!(await revokeApiKey(store, id, { withTokens, now: Date.now() })))
    throw new UsageError(`There is no key ${id}; "list" shows those that there are`);
  return 'Revoked. A running service stops taking it within two seconds.';
}

async function run(args: readonly string[], environment: NodeJS.ProcessEnv, warn: Warn): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      name: { type: 'string' },
      organization: { type: 'string' },
      scopes: { type: 'string' },
      without: { type: 'string' },
      'with-tokens': { type: 'boolean' },
    },
  });
  const [command, id] = positionals;
  if (values.help === true || command === undefined) return HELP;
  if (!COMMANDS.includes(command))
    throw new UsageError(`"${command}" is not a command. There are: ${COMMANDS.join(', ')}. See --help`);
  const store = await openDatabase(
    readSettings(environment),
    { example: 'node scripts/keys.ts list', mayMake: command === 'create', table: 'api_keys' },
    warn,
  );
  try {
    if (command === 'create') return await create(store, values);
    return command === 'list' ? await list(store) : await revoke(store, id, values['with-tokens'] ?? false);
  } finally {
    await store.close();
  }
}

/**
 * Carries out one command. Never throws. @param args of the command line. @param environment says where the database is.
 */
export function runKeys(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Done> {
  return runCommand((warn) => run(args, environment, warn));
}
