import { type FileHandle, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_PASSAGES } from './limits.ts';
import type { Passage } from './passage.ts';
import { openPassageFile, writePassages } from './passage-file.ts';
import { readPassages } from './read-passages.ts';

let folder: string;
let file: FileHandle;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-passages-'));
  file = await openPassageFile(join(folder, 'passages'));
});
afterEach(async () => {
  await file.close();
  await rm(folder, { recursive: true, force: true });
});

async function read(): Promise<Passage[]> {
  const passages: Passage[] = [];
  for await (const passage of readPassages(file)) passages.push(passage);
  return passages;
}

describe('The file of passages', () => {
  it('gives back what was written, whatever is in it', async () => {
    const written: Passage[] = Array.from({ length: 3000 }, (_, row) => ({
      content: `ü "${row}"\n\u0001${'字'.repeat(row)}`,
      metadata: { row },
    }));
    const all = async function* (): AsyncGenerator<Passage> {
      yield* written;
    };
    expect(await writePassages(file.fd, all())).toBe(written.length);
    expect(await read()).toEqual(written);
  });

  it('has no name, so nothing is left of it when the service is killed', async () => {
    expect(await readdir(folder)).toEqual([]);
  });

  // The writer has read an untrusted file, and may have been taken over by it.
  it('is not believed: what is no passage, too long or too much is refused', async () => {
    const refused = async (content: string): Promise<void> => {
      await file.truncate(0);
      await file.write(content, 0);
      await expect(read()).rejects.toThrow();
    };
    await refused('no passage\n');
    await refused('{"content":"a","metadata":{"page":"1"}}\n');
    await refused(`{"content":"a","metadata":{"page":1,"and":"${'x'.repeat(1000)}"}}\n`);
    await refused(`{"content":"${'a'.repeat(32_001)}","metadata":{}}\n`);
    await refused('a'.repeat(1_000_000));
    await refused('{"content":"a","metadata":{}}\n'.repeat(MAX_PASSAGES + 1));
  });
});
