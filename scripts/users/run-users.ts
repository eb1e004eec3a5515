import { parseArgs } from 'node:util';
import { organizationNamed } from '../../control/access/api-keys.ts';
import { ROLES } from '../../control/access/roles.ts';
import { addUser, invitationUrl, renewInvitation } from '../../control/api/users/user-rows.ts';
import { inviteUserBody } from '../../control/api/users/user-schema.ts';
import { DEFAULT_ORGANIZATION } from '../../control/app/first-key.ts';
import { reachedAt } from '../../control/http/local-url.ts';
import { readSettings, type Settings } from '../../control/settings/settings.ts';
import type { Store } from '../../control/store/open.ts';
import { openDatabase } from '../database-command/open-database.ts';
import { type Done, runCommand, UsageError, type Warn } from '../database-command/run-command.ts';

const HELP = `Manages the people who sign in to the console. The link with which somebody chooses a password is shown once.

  npm run users -- create --email ADDRESS [--name NAME] [--role ROLE] [--organization NAME]
  npm run users -- list
  npm run users -- link ADDRESS

In the container image, which has no npm: node scripts/users.ts create --email ADDRESS …

  --role          ${ROLES.join(', ')}. Default: admin
  --organization  made when it does not exist. Default: ${DEFAULT_ORGANIZATION}
  link            a new link for somebody whose link has ended, or who has forgotten the password

PARLEY_DATA_DIR or DATABASE_URL say where the users are, as for the service itself. PARLEY_PUBLIC_URL is the address in
the link. "create" makes a database where there is none.`;

const COMMANDS = ['create', 'list', 'link'];

/** Carries out one command. Never throws. @param args of the command line. @param environment says where the database is. */
export function runUsers(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Done> {
  return runCommand((warn) => run(args, environment, warn));
}

async function run(args: readonly string[], environment: NodeJS.ProcessEnv, warn: Warn): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      email: { type: 'string' },
      name: { type: 'string' },
      role: { type: 'string' },
      organization: { type: 'string' },
    },
  });
  const [command, address] = positionals;
  if (values.help === true || command === undefined) return HELP;
  if (!COMMANDS.includes(command))
    throw new UsageError(`"${command}" is not a command. There are: ${COMMANDS.join(', ')}. See --help`);
  const settings = readSettings(environment);
  const example = 'node scripts/users.ts list';
  const store = await openDatabase(settings, { example, mayMake: command === 'create', table: 'users' }, warn);
  try {
    if (command === 'create') return await create(store, settings, values);
    return command === 'list' ? await list(store) : await link(store, settings, address);
  } finally {
    await store.close();
  }
}

async function create(
  store: Store,
  settings: Settings,
  options: Readonly<Partial<Record<'email' | 'name' | 'role' | 'organization', string>>>,
): Promise<string> {
  const { organization = DEFAULT_ORGANIZATION, email, name, role = 'admin' } = options;
  if (email === undefined) throw new UsageError('--email is needed: what the user signs in with');
  if (organization.trim() === '') throw new UsageError('--organization has no name');
  const read = inviteUserBody.safeParse({ email, role, ...(name !== undefined && { name }) });
  if (!read.success)
    throw new UsageError(read.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
  const now = Date.now();
  const organizationId = await organizationNamed(store, organization, now);
  const added = await addUser(store, { organizationId, ...read.data }, now);
  if (added === null)
    throw new UsageError(`Somebody has the address ${read.data.email} already. "link" makes a new link for them`);
  return shown(settings, { email: added.row.email, ...added });
}

async function list(store: Store): Promise<string> {
  const users = await store.db
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['users.email', 'users.name', 'users.role', 'users.password_hash', 'users.disabled_at'])
    .select(['users.last_sign_in_at', 'organizations.name as organization'])
    .orderBy('organizations.name')
    .orderBy('users.email')
    .execute();
  const lines = users.map((user) =>
    [
      user.email,
      user.organization,
      user.name,
      user.role,
      user.disabled_at !== null ? 'disabled' : user.password_hash === null ? 'invited' : 'active',
      user.last_sign_in_at === null ? 'never signed in' : `signed in ${user.last_sign_in_at.slice(0, 10)}`,
    ].join('  '),
  );
  return lines.length === 0 ? 'There are no users yet.' : lines.join('\n');
}

async function link(store: Store, settings: Settings, address: string | undefined): Promise<string> {
  if (address === undefined) throw new UsageError('The e-mail address of the user is needed; "list" shows it');
  const email = address.toLowerCase();
  const user = await store.db
    .selectFrom('users')
    .select(['id', 'disabled_at'])
    .where('email', '=', email)
    .executeTakeFirst();
  if (user === undefined) throw new UsageError(`There is no user ${email}; "list" shows those that there are`);
  if (user.disabled_at !== null) throw new UsageError(`${email} is disabled: a link would not work`);
  return shown(settings, { email, ...(await renewInvitation(store, user.id, Date.now())) });
}

function shown(
  settings: Settings,
  { email, token, until }: { readonly email: string; readonly token: string; readonly until: string },
): string {
  const { PARLEY_PUBLIC_URL: given, PARLEY_HOST: host, PORT: port } = settings;
  const hint = given === undefined ? '\nPARLEY_PUBLIC_URL is not set, so this is the address on this machine.' : '';
  return [
    `user  ${email}`,
    `link  ${invitationUrl(given ?? reachedAt(host, port), token)}`,
    '',
    `With the link, a password is chosen once, until ${until.slice(0, 16).replace('T', ' ')} UTC. It is not shown again.${hint}`,
  ].join('\n');
}
