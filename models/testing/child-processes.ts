import { execFileSync } from 'node:child_process';

/** @param parent its id. @defaultValue this process @returns the ids of its children whose command line has the text. */
export function childProcesses(text: string, parent = process.pid): number[] {
  const table = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)], { encoding: 'utf8' });
  return table
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => Number.parseInt(line, 10));
}
