import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeStock, type ToolFile } from './stock-files.ts';

const tool = (name: string): ToolFile => ({
  name,
  description: 'Shows a map.',
  type: 'CLIENT',
  config: {},
  disableInterruptions: false,
});

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'parley-stock-'));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

/** Names of documents were looked at, and names of tools were paths as they came. */
it.each(['../outside', 'a/b', '.hidden'])('a service whose tool is named %s writes nothing', async (name) => {
  const made = await folder();
  const pulled = join(made, 'persona');
  await expect(writeStock(pulled, { tools: [tool(name)], groups: [] })).rejects.toThrow(`The tool "${name}.json"`);
  expect(await readdir(made)).toEqual([]);
});

it('a tool may be named like the file of a group', async () => {
  const made = await folder();
  await writeStock(made, { tools: [tool('group')], groups: [] });
  expect(await readdir(join(made, 'tools'))).toEqual(['group.json']);
});
