import { readFile } from 'node:fs/promises';

const CODE = 'service/guard/node-process.ts';

/** @returns the process of the node behind this guard; null: the process is no guard, or its node is dead. */
export async function guardedNode(guard: number): Promise<number | null> {
  const children = await text(`/proc/${guard}/task/${guard}/children`);
  for (const child of children.split(' ').filter((pid) => pid !== ''))
    if ((await text(`/proc/${child}/cmdline`)).includes(CODE)) return Number(child);
  return null;
}

/** Empty when the process is gone. */
async function text(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '');
}
