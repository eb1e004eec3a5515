import { fileURLToPath } from 'node:url';
import { type Import, UPWARD_AT_MOST, upwardImports } from './imports/floors.ts';
import { readImports } from './imports/import-violations.ts';

/**
 * Part of `npm run lint`: prints each forbidden import and why it is forbidden, each circle, and of control/ each import
 * that runs upward by `imports/floors.ts`.
 */
const { violations, imports } = await readImports(fileURLToPath(new URL('..', import.meta.url)));
for (const { rule, reason, path } of violations) console.error(`${rule}: ${path.join(' → ')}\n  ${reason}`);

const ofControl = imports.filter(({ from, to }) => from.startsWith('control/') && to.startsWith('control/'));
const { upward, homeless } = upwardImports(ofControl);
for (const [folder, arrows] of Map.groupBy(upward, ({ from }) => folderOf(from)))
  console.log(`${folder}: ${arrows.length} upward\n${arrows.map(shown).join('\n')}`);
const circles = violations.filter(({ rule }) => rule === 'no-circles').length;
console.log(`control/: ${ofControl.length} imports, ${upward.length} upward, ${circles} circles`);
for (const path of homeless) console.error(`${path} stands on no floor: scripts/imports/floors.ts`);
if (upward.length > UPWARD_AT_MOST) console.error(`More than ${UPWARD_AT_MOST} imports of control/ run upward.`);
process.exitCode = violations.length + homeless.length === 0 && upward.length <= UPWARD_AT_MOST ? 0 : 1;

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function shown({ from, to }: Import): string {
  return `  ${from} → ${to}`;
}
