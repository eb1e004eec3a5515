import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { createTool } from '../../control/api/tools/tool-schema.ts';
import { CommandError } from './api.ts';
import { freeName, jsonOf, parsed, removeOthers } from './json-files.ts';

/** A tool as a file: knowledge is named, not numbered. */
const toolFile = createTool.extend({ knowledge: z.array(z.string().min(1)).optional() });
export type ToolFile = z.infer<typeof toolFile>;

const groupFile = z.object({ name: z.string().min(1).max(255), description: z.string().max(2000).optional() });

/** A knowledge group as a folder: its documents as they are. */
export interface GroupFiles extends z.infer<typeof groupFile> {
  readonly documents: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** What a persona has besides itself: a file for each tool, a folder for each knowledge group. */
export interface StockFiles {
  readonly tools: readonly ToolFile[];
  readonly groups: readonly GroupFiles[];
}

const TOOLS = 'tools';
const KNOWLEDGE = 'knowledge';
const GROUP = 'group.json';

/** What is no more loses its files. */
export async function writeStock(folder: string, { tools, groups }: StockFiles): Promise<void> {
  const files = new Map(tools.map((tool) => [fileName('tool', `${tool.name}.json`), tool]));
  // Before anything of the folder goes.
  for (const { documents } of groups) for (const name of documents.keys()) fileName('document', name);
  await removeOthers(join(folder, TOOLS), new Set(files.keys()));
  if (tools.length > 0) await mkdir(join(folder, TOOLS), { recursive: true });
  for (const [file, tool] of files) await writeFile(join(folder, TOOLS, file), jsonOf(tool));
  await rm(join(folder, KNOWLEDGE), { recursive: true, force: true });
  const taken = new Set<string>();
  for (const { documents, ...group } of groups) {
    const place = join(folder, KNOWLEDGE, freeName(group.name, '', taken));
    await mkdir(place, { recursive: true });
    await writeFile(join(place, GROUP), jsonOf(group));
    for (const [name, bytes] of documents) await writeFile(join(place, name), bytes);
  }
}

/** @throws CommandError naming the file that is wrong. */
export async function readStock(folder: string): Promise<StockFiles> {
  const tools = await Promise.all(
    (await filesIn(join(folder, TOOLS)))
      .filter((file) => file.endsWith('.json'))
      .map((file) => parsed(join(folder, TOOLS, file), toolFile)),
  );
  const groups = await Promise.all(
    (await filesIn(join(folder, KNOWLEDGE))).map((name) => readGroup(join(folder, KNOWLEDGE, name))),
  );
  return { tools, groups };
}

async function readGroup(place: string): Promise<GroupFiles> {
  const group = await parsed(join(place, GROUP), groupFile);
  const documents = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const file of await filesIn(place))
    if (file !== GROUP) documents.set(file, new Uint8Array(await readFile(join(place, file))));
  return { ...group, documents };
}

/** Nothing when there is no such folder. Hidden files are not meant. */
async function filesIn(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.filter((file) => !file.startsWith('.')).toSorted();
}

/** The name comes from the service: it leads to no other folder. @throws CommandError */
function fileName(what: 'tool' | 'document', name: string): string {
  const isOurs = what === 'document' && name === GROUP;
  if (basename(name) !== name || name.startsWith('.') || isOurs)
    throw new CommandError(`The ${what} "${name}" cannot be a file of that name: give it another one.`);
  return name;
}
