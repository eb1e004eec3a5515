import { execFileSync } from 'node:child_process';

/** @returns the ids of this process's children in whose command line the text stands. */
export function childProcesses(text: string): number[] {
  const table = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return table
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => Number.parseInt(line, 10));
}
