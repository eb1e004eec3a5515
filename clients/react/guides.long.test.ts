import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = new URL('../..', import.meta.url).pathname;
const GUIDES = ['docs/guides/react-client.md', 'docs/guides/embedding-the-client.md', 'clients/react/README.md'];

/** What the fragments of the guides take from the page around them. */
const AROUND = `declare const sessionToken: string;
declare function showTranscript(messages: readonly { role: string; content: string }[]): void;
declare function showEnd(reason: string | undefined): void;
`;

// Three errors in the code of the guide, and tools whose arguments have a type, were found by the first who used them.
it.each(GUIDES)('the code of %s compiles with strict types', async (guide) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-guide-'));
  try {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const code = [...(await readFile(join(ROOT, guide), 'utf8')).matchAll(/^```(tsx?)\n([^]*?)^```$/gm)];
    expect(code.length).toBeGreaterThan(0);
    // Each block is a file of its own.
    for (const [index, [, ending, block]] of code.entries())
      await writeFile(join(folder, `block-${index}.${ending}`), `${block}\nexport {};\n`);
    await writeFile(join(folder, 'around.d.ts'), AROUND);
    const config = {
      extends: join(ROOT, 'clients/react/tsconfig.json'),
      compilerOptions: {
        noEmit: true,
        strict: true,
        noUnusedLocals: false,
        noUnusedParameters: false,
        types: ['node'],
        paths: {
          '@parley/client': [join(ROOT, 'clients/js/src/index.ts')],
          '@parley/react': [join(ROOT, 'clients/react/src/index.ts')],
        },
      },
      include: ['*.ts', '*.tsx'],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error: unknown) => ({
      stdout: (error as { stdout: string }).stdout,
    }));
    expect(stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true });
  }
});
