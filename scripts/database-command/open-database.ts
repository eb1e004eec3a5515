import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Settings } from '../../control/settings/settings.ts';
import { makeFolder } from '../../control/store/data-folder.ts';
import { openStore, type Store } from '../../control/store/open.ts';
import { UsageError, type Warn } from './run-command.ts';

/**
 * Opens the database of a service that may be running. It stays as it is: the service may be of an older version, and
 * upgrading is a matter of a start.
 * @param options.example a command, for the message that names the data folder. @param options.mayMake whether a database
 * is made where there is none. @param options.table that the command needs.
 */
export async function openDatabase(
  settings: Settings,
  options: { readonly example: string; readonly mayMake: boolean; readonly table: 'api_keys' | 'users' },
  warn: Warn,
): Promise<Store> {
  const { DATABASE_URL: databaseUrl } = settings;
  const dataDir = resolve(settings.PARLEY_DATA_DIR);
  const place = databaseUrl === undefined ? `in the folder ${dataDir}` : 'at DATABASE_URL';
  const missing = new UsageError(
    `There is no database of Parley ${place}. ${databaseUrl === undefined ? `PARLEY_DATA_DIR names the data folder of the service: PARLEY_DATA_DIR=/srv/parley ${options.example}` : 'It must be that of the service.'}`,
  );
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'parley.sqlite'))) {
    if (!options.mayMake) throw missing;
    await makeFolder(dataDir);
  } else {
    const store = await openStore({ dataDir, databaseUrl, schema: 'as it is' });
    const tables = new Set((await store.db.introspection.getTables()).map(({ name }) => name));
    if (tables.has(options.table)) return store;
    await store.close();
    if (tables.has('api_keys'))
      throw new UsageError(`The database ${place} is of an older version. Start the service once with this one.`);
    if (!options.mayMake) throw missing;
  }
  const store = await openStore({ dataDir, databaseUrl });
  warn(`There was no database ${place}: a new one was made.`);
  return store;
}
