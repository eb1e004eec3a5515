import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ERRORS, openStore, RESOURCES, settingsSchema, type Refusal } from '../../control/index.ts';
import { startTestService } from '../../control/testing/service.ts';
import { listMachines } from './machine-list.ts';
import { machinesPage } from './machines-page.ts';
import { eventRows, sessionEventsPage } from './session-events-page.ts';
import { wireDocument, wirePage } from './wire-page.ts';
import { GENERATED } from './generated.ts';
import { providersPage } from './providers-page.ts';

/** @returns the text of each page, by file name. */
export async function referenceDocs(): Promise<Record<string, string>> {
  const machines = await listMachines();
  return {
    'settings.md': settingsPage(),
    'providers.md': providersPage(),
    'errors.md': errorsPage(),
    'machines.md': machinesPage(machines),
    'session-events.md': sessionEventsPage(eventRows(machines)),
    'client-messages.md': wirePage(),
    'wire.json': wireDocument(),
    'openapi.json': await openApi(),
  };
}

function settingsPage(): string {
  const rows = Object.entries(settingsSchema.shape).map(([name, field]) => {
    const { description = '' } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
    const byDefault = field.safeParse(undefined).data;
    const shown =
      byDefault === undefined || (Array.isArray(byDefault) && byDefault.length === 0) ? '' : `\`${String(byDefault)}\``;
    return `| \`${name}\` | ${shown} | ${description.replaceAll('|', '\\|')} |`;
  });
  return [
    '# Settings',
    '',
    GENERATED,
    '',
    [
      'Settings are environment variables. Parley reads them once, at the start.',
      'Blanks and quotation marks around a value are left out, except in a master key. An empty value counts as unset.',
      'With a bad value, or with an unknown name that begins with `PARLEY_`, Parley does not start and names the setting.',
      'Lists are separated by commas.',
    ].join(' '),
    '',
    '| Setting | Default | Meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function errorsPage(): string {
  const refusals: Refusal[] = [ERRORS, ...RESOURCES.map(({ errors }) => errors)].flatMap((errors) =>
    Object.values(errors),
  );
  const rows = refusals
    .toSorted(([one], [other]) => one - other)
    .map(([status, error, message]) => `| ${status} | \`${error}\` | ${message} |`);
  return [
    '# Errors',
    '',
    GENERATED,
    '',
    'Every error answer is a JSON document with `error` and `message`. `error` is a short text that does not change, so programs can compare it. `message` is a sentence for people. `Validation error` adds `details`, with one `{ path, message, code }` for each wrong field, and `summary`, which joins them.',
    '',
    'Codes of details: `custom`, `invalid_type`, `invalid_string`, `invalid_enum_value`, `too_small`, `too_big`, `unrecognized_keys`.',
    '',
    '| Status | `error` | Usual meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** The document as a running service serves it. */
async function openApi(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-docs-'));
  const store = await openStore({ dataDir });
  const service = await startTestService(store, { dataDir });
  try {
    const { status, body } = await service.send('GET', '/openapi.json', undefined, null);
    if (status !== 200) throw new Error(`The OpenAPI document cannot be made: ${service.logged.at(-1)}`);
    return `${JSON.stringify(body, null, 1)}\n`;
  } finally {
    await service.close();
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
