import { spawn } from 'node:child_process';
import { type FileHandle, mkdir, mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Confinement, type ConfinedRun, OUTPUT_FD, runConfined } from './confined-process.ts';

const LIMITS: Confinement = { heapMb: 64, memoryMb: 256, fileMb: 1, cpuSeconds: 20, seconds: 60 };
const answerModule = JSON.stringify(new URL('confined-process.ts', import.meta.url).href);

let folder: string;
const files: FileHandle[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-confined-'));
});
afterEach(async () => {
  for (const file of files.splice(0)) await file.close();
  await rm(folder, { recursive: true, force: true });
});

type Options = Partial<Omit<ConfinedRun, 'limits'>> & { limits?: Partial<Confinement> };

/** Runs code in a confined process. It sees `answer`. */
async function run(code: string, options: Options = {}): Promise<unknown> {
  const entry = join(folder, 'entry.mjs');
  await writeFile(entry, `import { answer, begun } from ${answerModule};\n${code}`);
  const limits = { ...LIMITS, ...options.limits };
  return runConfined({ entry, args: [], signal: new AbortController().signal, ...options, limits });
}

async function file(name: string, content = ''): Promise<FileHandle> {
  await writeFile(join(folder, name), content);
  files.push(await open(join(folder, name), 'r+'));
  return files.at(-1)!;
}

describe('A confined process', () => {
  it('gives an answer', async () => {
    expect(await run('answer({ problem: null })')).toEqual({ problem: null });
  });

  it('reads and writes the files that it was given', async () => {
    const input = await file('in', 'what a stranger sent');
    const output = await file('out');
    const code = `
      import { readFileSync, writeSync } from 'node:fs';
      writeSync(${OUTPUT_FD}, readFileSync(0, 'utf8').toUpperCase());
      answer(true);`;
    expect(await run(code, { input: input.fd, output: output.fd })).toBe(true);
    expect(await readFile(join(folder, 'out'), 'utf8')).toBe('WHAT A STRANGER SENT');
  });

  it('ends when it makes more objects than its heap holds', async () => {
    await expect(run('const all = []; for (;;) all.push({ all: [] });')).rejects.toMatchObject({ end: 'memory' });
  });

  // A thread with a limit on its heap took 3 to 5 GB outside of it.
  it('gets no more memory for buffers than it may have', async () => {
    const took = await file('took');
    // A byte in the file for each MB that it got.
    const code = `
      import { writeSync } from 'node:fs';
      for (const all = []; ; writeSync(${OUTPUT_FD}, '.')) all.push(Buffer.alloc(1024 * 1024, 1));`;
    await expect(run(code, { output: took.fd })).rejects.toMatchObject({ end: 'memory' });
    const { size } = await took.stat();
    expect(size).toBeGreaterThan(64);
    expect(size).toBeLessThanOrEqual(LIMITS.memoryMb);
  });

  it('gets no more memory for WebAssembly either', async () => {
    const code = `
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536 });
      for (;;) { memory.grow(256); new Uint8Array(memory.buffer).fill(1); }`;
    await expect(run(code)).rejects.toMatchObject({ end: expect.stringMatching(/memory|crash/) });
  });

  it('ends when its time is over, whatever it does', async () => {
    await expect(run('for (;;);', { limits: { cpuSeconds: 1 } })).rejects.toMatchObject({ end: 'time' });
    await expect(run('setInterval(() => {}, 1000)', { limits: { seconds: 2 } })).rejects.toMatchObject({ end: 'time' });
  });

  it('ends when nobody waits for it any more', async () => {
    const giveUp = new AbortController();
    const waiting = run('setInterval(() => {}, 1000)', { signal: giveUp.signal });
    giveUp.abort();
    await expect(waiting).rejects.toMatchObject({ end: 'stopped' });
    await expect(run('answer(1)', { signal: AbortSignal.abort() })).rejects.toMatchObject({ end: 'stopped' });
  });

  it('writes no file that is larger than it may be', async () => {
    const output = await file('out');
    const code = `import { writeSync } from 'node:fs'; for (;;) writeSync(${OUTPUT_FD}, 'x'.repeat(65536));`;
    await expect(run(code, { output: output.fd })).rejects.toMatchObject({ end: 'crash' });
    expect((await output.stat()).size).toBe(1024 * 1024);
  });

  it('may crash: the error says how', async () => {
    await expect(run('process.kill(process.pid, "SIGSEGV"); setTimeout(() => {}, 10000)')).rejects.toThrow(/SIGSEGV/);
    await expect(run('console.error("out of paint"); process.exit(3)')).rejects.toThrow(/exit 3.*out of paint/);
  });

  it('may end without an answer, or with one that is too long', async () => {
    await expect(run('')).rejects.toMatchObject({ end: 'crash' });
    await expect(run("for (;;) answer('x'.repeat(1000));")).rejects.toMatchObject({ end: 'crash' });
  });

  it('says nothing that counts when it ended badly', async () => {
    await expect(run('answer(true); process.exit(1);')).rejects.toMatchObject({ end: 'crash' });
  });

  it('sees no secrets of the service, and comes after its conversations', async () => {
    process.env['PARLEY_MASTER_KEY'] = 'not for children';
    try {
      const seen = await run(`
        import { getPriority } from 'node:os';
        answer({ names: Object.keys(process.env), priority: getPriority() });`);
      expect(seen).toEqual({ names: expect.arrayContaining(['PATH']), priority: expect.any(Number) });
      const { names, priority } = seen as { names: string[]; priority: number };
      expect(names.filter((name) => name.startsWith('PARLEY'))).toEqual([]);
      expect(priority).toBeGreaterThanOrEqual(10);
    } finally {
      delete process.env['PARLEY_MASTER_KEY'];
    }
  });

  it('reads only what it is permitted to', async () => {
    await writeFile(join(folder, 'master.key'), 'secret');
    const mayRead = [join(folder, 'entry.mjs'), import.meta.dirname];
    const code = `
      import { spawn } from 'node:child_process';
      import { readFileSync } from 'node:fs';
      const tried = (act) => { try { act(); return 'done'; } catch (error) { return error.code; } };
      const key = ${JSON.stringify(join(folder, 'master.key'))};
      answer([tried(() => readFileSync(key)), tried(() => spawn('true'))]);`;
    expect(await run(code, { mayRead })).toEqual(['ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED']);
    expect(await run(code)).toEqual(['done', 'done']);
  });
});

/** `node_modules` was a link. No document could be read, and each was said to be damaged. */
describe('What a confined process may read', () => {
  it('is also what a link leads to', async () => {
    await mkdir(join(folder, 'elsewhere', 'words'), { recursive: true });
    await writeFile(join(folder, 'elsewhere', 'words', 'index.mjs'), "export default 'read';");
    await writeFile(join(folder, 'elsewhere', 'words', 'package.json'), '{"main":"index.mjs"}');
    await symlink(join(folder, 'elsewhere'), join(folder, 'node_modules'));
    const mayRead = [join(folder, 'entry.mjs'), join(folder, 'node_modules/'), import.meta.dirname];
    expect(await run("import words from 'words/index.mjs';\nanswer(words);", { mayRead })).toBe('read');
  });

  it('is named when it is not enough, and whether it had begun to read its input', async () => {
    await writeFile(join(folder, 'other.mjs'), '');
    const mayRead = [join(folder, 'entry.mjs'), import.meta.dirname];
    const code = "begun();\nawait import('./other.mjs');";
    for (const [lines, hadBegun] of [
      [code, true],
      [`import './other.mjs';\n${code}`, false],
    ] as const)
      await expect(run(lines, { mayRead })).rejects.toMatchObject({
        end: 'crash',
        hadBegun,
        message: expect.stringMatching(/Error: Access to this API has been restricted.*resource: '.*other\.mjs'/),
      });
  });
});

describe('A confined process of a service that is killed', () => {
  it('ends with it', async () => {
    const pid = join(folder, 'pid');
    const entry = join(folder, 'entry.mjs');
    await writeFile(
      entry,
      `
      import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(pid)}, String(process.pid));
      for (;;);`,
    );
    const code = `
      import { runConfined } from ${answerModule};
      const [entry, limits] = ${JSON.stringify([entry, LIMITS])};
      runConfined({ entry, args: [], limits, signal: new AbortController().signal });`;
    const service = spawn(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      code,
    ]);
    const confined = async (): Promise<number> => Number(await readFile(pid, 'utf8').catch(() => ''));
    await expect.poll(confined).toBeGreaterThan(0);
    service.kill('SIGKILL');
    const gone = await confined();
    await expect.poll(() => isRunning(gone)).toBe(false);
  });
});

/** One that has ended may wait for somebody who asks how. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State:\tZ');
  return !status.includes('State:\tZ');
}
