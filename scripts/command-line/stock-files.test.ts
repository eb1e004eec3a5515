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

/** The folder of all knowledge was removed before the names of the new one were looked at. */
it.each(['../outside', '.hidden', 'group.json'])('knowledge stays when a document is named %s', async (name) => {
  const made = await folder();
  const group = (document: string) => ({ name: 'Hours', documents: new Map([[document, new Uint8Array(1)]]) });
  await writeStock(made, { tools: [], groups: [group('hours.txt')] });
  await expect(writeStock(made, { tools: [], groups: [group(name)] })).rejects.toThrow(`The document "${name}"`);
  expect(await readdir(join(made, 'knowledge', 'hours'))).toEqual(['group.json', 'hours.txt']);
});
