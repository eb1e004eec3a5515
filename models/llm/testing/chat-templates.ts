import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RegistryArchive } from '../../packages/package-source.ts';
import { downloadFromIndex } from '../../packages/registries/simple-index.ts';

const run = promisify(execFile);

/** The package has llama.cpp's source with its official chat templates. */
const VERSION = '0.3.36';
const PACKAGE: RegistryArchive = {
  registry: 'pypi',
  name: 'llama-cpp-python',
  version: VERSION,
  sha256: '832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e',
  bytes: 76_589_250,
};
const INSIDE = 'vendor/llama.cpp/models/templates';
/** Where they are, once they were downloaded. */
export const CHAT_TEMPLATES = join(import.meta.dirname, '../../../node_modules/.cache/chat-templates', VERSION);

export interface ChatTemplate {
  readonly name: string;
  readonly source: string;
}

/** The official chat templates of llama.cpp. The first call downloads the package by its name (77 MB): pip would build it. */
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
    const archive = join(folder, 'package.tar.gz');
    await downloadFromIndex(PACKAGE, archive, {});
    const depth = INSIDE.split('/').length + 1;
    await mkdir(join(folder, 'out'));
    const wanted = ['--wildcards', `*/${INSIDE}/*.jinja`, `--strip-components=${depth}`];
    await run('tar', ['-xzf', archive, '-C', join(folder, 'out'), ...wanted]);
    await mkdir(join(CHAT_TEMPLATES, '..'), { recursive: true });
    await rename(join(folder, 'out'), CHAT_TEMPLATES);
    return await readdir(CHAT_TEMPLATES);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
