import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The package has llama.cpp's source with its official chat templates. */
const PACKAGE = 'llama-cpp-python';
const VERSION = '0.3.36';
const INSIDE = 'vendor/llama.cpp/models/templates';
/** Where they are, once they were downloaded. */
export const CHAT_TEMPLATES = join(import.meta.dirname, '../../../node_modules/.cache/chat-templates', VERSION);

export interface ChatTemplate {
  readonly name: string;
  readonly source: string;
}

/** The official chat templates of llama.cpp. The first call downloads the package by its name, with pip (77 MB). */
export async function chatTemplates(): Promise<readonly ChatTemplate[]> {
  const names = await readdir(CHAT_TEMPLATES).catch(download);
  const templates = names.filter((name) => name.endsWith('.jinja')).toSorted();
  return Promise.all(
    templates.map(async (name) => ({
      name: name.replace('.jinja', ''),
      source: await readFile(join(CHAT_TEMPLATES, name), 'utf8'),
    })),
  );
}

async function download(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chat-templates-'));
  try {
    // Only this package as source: what pip needs to look into it comes built, or it takes five minutes.
    const options = ['download', '--no-deps', '--no-binary', PACKAGE, '--quiet', '--dest', folder];
    await run('pip', [...options, `${PACKAGE}==${VERSION}`]);
    const [archive = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tar.gz'));
    const depth = INSIDE.split('/').length + 1;
    await mkdir(join(folder, 'out'));
    const wanted = ['--wildcards', `*/${INSIDE}/*.jinja`, `--strip-components=${depth}`];
    await run('tar', ['-xzf', join(folder, archive), '-C', join(folder, 'out'), ...wanted]);
    await mkdir(join(CHAT_TEMPLATES, '..'), { recursive: true });
    await rename(join(folder, 'out'), CHAT_TEMPLATES);
    return await readdir(CHAT_TEMPLATES);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
