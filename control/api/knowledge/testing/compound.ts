import { CFB } from '@e965/xlsx';

/** A compound file with these streams, by their paths. */
export function compoundOf(streams: Readonly<Record<string, Buffer>>): Buffer {
  const file = CFB.utils.cfb_new({ root: 'Root Entry' });
  for (const [path, bytes] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${path}`, bytes);
  return CFB.write(file, { type: 'buffer' }) as Buffer;
}
