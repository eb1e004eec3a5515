import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Writes until there is no room for another byte. @returns gives the room back. */
  fill(): () => void;
  /** After everybody has left it. */
  remove(): void;
}

/** A small disk of memory. Only root can make one. @returns null for anybody else. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'parley-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).status !== 0) {
    rmdirSync(folder);
    return null;
  }
  return {
    folder,
    fill: () => fill(folder),
    remove() {
      spawnSync('umount', [folder]);
      rmdirSync(folder);
    },
  };
}

function fill(folder: string): () => void {
  const path = join(folder, 'filler');
  const file = openSync(path, 'w');
  for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) if (writeSync(file, Buffer.alloc(size)) < size) break;
    } catch {
      // No room for so much: try with half.
    }
  }
  closeSync(file);
  return () => rmSync(path, { force: true });
}
