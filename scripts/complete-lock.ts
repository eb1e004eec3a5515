/**
 * Completes package-lock.json with the native packages of other platforms. `npm run lock` does it after every change
 * of a dependency.
 *
 * npm leaves out of a lock file what it did not install itself, and then `npm ci` refuses that file on every other
 * platform (and, with packages whose binaries are optional dependencies, on the same one). An entry without a checksum
 * is enough: npm asks the registry for that exact version where it is needed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { lockedPlatform } from './lock/locked-platform.ts';

const LOCK_FILE = new URL('../package-lock.json', import.meta.url);

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  packages: Record<string, LockedPackage>;
}

const lock = JSON.parse(readFileSync(LOCK_FILE, 'utf8')) as Lock;
let added = 0;
for (const { dev, optionalDependencies = {} } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const place = `node_modules/${name}`;
    const platform = lockedPlatform(name);
    // A range is not one version; npm locks those itself.
    if (platform === null || lock.packages[place] !== undefined || !/^\d/.test(version)) continue;
    lock.packages[place] = { version, ...platform, ...(dev === true && { dev }), optional: true } as LockedPackage;
    added += 1;
  }
}
const { '': root, ...others } = lock.packages;
const sorted = Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = { ...(root !== undefined && { '': root }), ...Object.fromEntries(sorted) };
writeFileSync(LOCK_FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(
  added === 0 ? 'The lock file was complete.' : `${added} packages of other platforms were added to the lock file.`,
);
