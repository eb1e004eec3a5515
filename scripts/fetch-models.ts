/**
 * `bash scripts/start.sh --models`: fetches model files from their publishers. Standard output has one NAME=VALUE line
 * for each setting that puts a fetched file to use; everything for people goes to standard error.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MODEL_FILES, type ModelFile } from '../models/manifest.ts';
import { download, DownloadError, sha256Of } from './models/download.ts';
import { megabytes, ProgressLine } from './models/progress-line.ts';

const HELP = `Usage: bash scripts/start.sh --models [NAME...] [--list] [--unverified]

Fetches model files that Parley can use but does not ship, into PARLEY_MODELS_DIR (unset: "models" in PARLEY_DATA_DIR).
start.sh then starts the service with them, unless your own settings say otherwise.

  NAME          what to fetch: ${MODEL_FILES.map(({ purpose }) => purpose).join(', ')}; unset: everything
  --list        show what there is, where it comes from and under which license, and fetch nothing
  --unverified  also fetch files whose checksum this version does not know
  --help        this text

A file gets its name only when it is whole and its SHA-256 is right. Interrupted downloads go on where they stopped, and
nothing is fetched twice. HTTPS_PROXY and NO_PROXY are honored.

Exit status: 0 done, 1 something could not be fetched, 2 the command was not understood.`;

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const folder = resolve(process.env['PARLEY_MODELS_DIR'] || join(process.env['PARLEY_DATA_DIR'] || './data', 'models'));

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { list: { type: 'boolean' }, unverified: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    console.log(HELP);
    return 0;
  }
  const unknown = positionals.filter((name) => !MODEL_FILES.some(({ purpose }) => purpose === name));
  if (unknown.length > 0) {
    say(
      `There is no model called ${unknown.join(', ')}. There are: ${MODEL_FILES.map(({ purpose }) => purpose).join(', ')}`,
    );
    return 2;
  }
  const wanted = MODEL_FILES.filter(({ purpose }) => positionals.length === 0 || positionals.includes(purpose));
  if (values.list === true) {
    for (const file of wanted) console.log(described(file));
    return 0;
  }
  say(`Models go to ${folder}`);
  let failed = 0;
  for (const file of wanted) failed += (await fetchOne(file, values.unverified === true)) ? 0 : 1;
  return failed === 0 ? 0 : 1;
}

/** @returns whether there is nothing to complain about. */
async function fetchOne(file: ModelFile, unverified: boolean): Promise<boolean> {
  const title = `${file.name} ${file.version}`;
  if (file.sha256 === null && !unverified) {
    say(
      `  ${title}  skipped: this version of Parley does not know its checksum. Add --unverified to fetch it all the same.`,
    );
    return true;
  }
  const target = join(folder, file.fileName);
  const line = new ProgressLine(title, process.stderr);
  try {
    const outcome = await download(
      { ...file, target },
      { onProgress: (received, total) => line.update(received, total) },
    );
    line.finish(
      outcome === 'present'
        ? `${title}  is there already`
        : `${title}  fetched${file.sha256 === null ? `, not verified; its SHA-256 is ${await sha256Of(target)}` : ', checksum right'}`,
    );
  } catch (error) {
    line.finish(`${title}  failed: ${error instanceof Error ? error.message : String(error)}`);
    say(`    ${adviceFor(error, file, target)}`);
    return false;
  }
  console.log(settingFor(file, target));
  return true;
}

function settingFor(file: ModelFile, target: string): string {
  switch (file.purpose) {
    case 'noise':
      return 'PARLEY_NOISE_FILTER=gtcrn';
    case 'end-of-turn':
      return `PARLEY_END_OF_TURN_MODEL=${target}`;
  }
}

function adviceFor(error: unknown, { url }: ModelFile, target: string): string {
  if (!(error instanceof DownloadError)) return `Is there room in ${folder}, and may it be written to?`;
  switch (error.problem) {
    case 'offline':
      return `No network? Behind a proxy set HTTPS_PROXY. Or fetch it elsewhere and copy it here:\n      ${url}\n      → ${target}\n    Parley also runs without it: bash scripts/start.sh`;
    case 'interrupted':
      return 'Run the same command again: it goes on where it stopped.';
    case 'refused':
      return 'The publisher may have moved the file. Parley also runs without it: bash scripts/start.sh';
    case 'checksum':
      return 'The publisher changed the file, or something on the way did. Do not use it.';
  }
}

function described({ purpose, name, version, fileName, url, license, home, bytes, sha256 }: ModelFile): string {
  return `${purpose}\n  ${name} ${version}, ${license}, ${bytes === null ? 'size unknown' : `${megabytes(bytes)} MB`}\n  ${home}\n  ${url}\n  SHA-256 ${sha256 ?? 'unknown'}\n  → ${join(folder, fileName)}`;
}

try {
  process.exitCode = await main();
} catch (error) {
  // Unknown options are the user's to mend; the rest is ours and shows its stack.
  const expected = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  say(
    expected && error instanceof Error
      ? `${error.message}\nSee --help.`
      : String(error instanceof Error ? error.stack : error),
  );
  process.exitCode = 2;
}
