import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StateMachine, type AnyStateMachine, type AnyStateNode } from 'xstate';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A machine of a session, as the documents show it. */
export interface ListedMachine {
  /** From its file: `user-turn-machine.ts` is "user turn". */
  readonly name: string;
  /** From the repository's root. */
  readonly path: string;
  /** What stands above it in its file. */
  readonly meaning: string;
  readonly machine: AnyStateMachine;
}

/** All machines of `actors/`, by name. A new file `*-machine.ts` needs no entry anywhere. */
export async function listMachines(): Promise<readonly ListedMachine[]> {
  const listed: ListedMachine[] = [];
  for (const path of sourcesBelow('actors').filter((file) => file.endsWith('-machine.ts'))) {
    const exported = (await import(join(ROOT, path))) as Record<string, unknown>;
    const found = Object.entries(exported).find(([, value]) => value instanceof StateMachine);
    if (found === undefined) throw new Error(`${path} exports no machine`);
    const [exportName, machine] = found as [string, AnyStateMachine];
    listed.push({
      name: basename(path, '-machine.ts').replaceAll('-', ' '),
      path,
      meaning: commentAbove(readFileSync(join(ROOT, path), 'utf8'), `export const ${exportName} `),
      machine,
    });
  }
  return listed.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Production sources of a folder, as paths from the repository's root. */
export function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.includes('.test.'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('/testing/') && !path.includes('node_modules'))
    .toSorted();
}

/** All states of a machine, each before its own. */
export function statesOf(node: AnyStateNode): readonly AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(statesOf)];
}

/** @returns the text of the JSDoc comment right above the line that begins so; empty: there is none. */
function commentAbove(source: string, line: string): string {
  const before = source.slice(0, source.indexOf(line)).trimEnd();
  return before.endsWith('*/') ? commentText(before.slice(before.lastIndexOf('/**'))) : '';
}

/** The words of a JSDoc comment, on one line. */
export function commentText(comment: string): string {
  return comment
    .replace(/^\/\*\*|\*\/$/gu, '')
    .split('\n')
    .map((text) => text.replace(/^\s*\*\s?/u, '').trim())
    .join(' ')
    .trim();
}
