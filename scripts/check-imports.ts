import { fileURLToPath } from 'node:url';
import { type Import, MAX_UPWARD_IMPORTS, upwardImports } from './imports/layers.ts';
import { readImports } from './imports/import-violations.ts';

/**
 * Part of `npm run lint`: prints each forbidden import with the reason, each circular import, and each import in
 * control/ from a lower layer to a higher one (`imports/layers.ts`).
 */
const { violations, imports } = await readImports(fileURLToPath(new URL('..', import.meta.url)));
for (const { rule, reason, path } of violations) console.error(`${rule}: ${path.join(' → ')}\n  ${reason}`);

const ofControl = imports.filter(({ from, to }) => from.startsWith('control/') && to.startsWith('control/'));
const { upward, unlisted } = upwardImports(ofControl);
for (const [folder, arrows] of Map.groupBy(upward, ({ from }) => folderOf(from)))
  console.log(`${folder}: ${arrows.length} upward\n${arrows.map(shown).join('\n')}`);
const circles = violations.filter(({ rule }) => rule === 'no-circles').length;
console.log(`control/: ${ofControl.length} imports, ${upward.length} upward, ${circles} circles`);
for (const path of unlisted) console.error(`${path} belongs to no layer: scripts/imports/layers.ts`);
if (upward.length > MAX_UPWARD_IMPORTS)
  console.error(`More than ${MAX_UPWARD_IMPORTS} imports of control/ run upward.`);
process.exitCode = violations.length + unlisted.length === 0 && upward.length <= MAX_UPWARD_IMPORTS ? 0 : 1;

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function shown({ from, to }: Import): string {
  return `  ${from} → ${to}`;
}
