import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * The path of a file inside an npm package, also of one that the package's `exports` do not name.
 * @throws when the package or the file is not installed.
 */
export function packageFile(packageName: string, file: string): string {
  for (const root of require.resolve.paths(packageName) ?? []) {
    const path = join(root, packageName, file);
    if (existsSync(path)) return path;
  }
  throw new Error(
    `${file} of the package ${packageName} is not installed (looked from ${dirname(import.meta.filename)}).`,
  );
}
