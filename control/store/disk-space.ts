import { statfs } from 'node:fs/promises';

/** @returns bytes that the service's user can still write on the disk of this folder. */
export async function freeDiskBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
