import JSZip from 'jszip';
import { decodeText } from './decode-text.ts';

/**
 * Opens an archive. Windows writes the names of its files in the charset of its language, and does not say in which one:
 * it is told by all of them together. Without that, names were signs, and files whose names looked alike were lost.
 */
export async function openNamed(bytes: Buffer): Promise<JSZip> {
  const foreign = new Set<string>();
  const zip = await JSZip.loadAsync(bytes, { decodeFileName: (name) => utf8Of(name) ?? noted(name, foreign) });
  if (foreign.size === 0) return zip;
  const all = [...foreign];
  const decoded = decodeText(Buffer.from(all.join('\n'), 'latin1')).text.split('\n');
  const names = new Map(all.map((name, index) => [name, decoded[index] ?? name]));
  return JSZip.loadAsync(bytes, { decodeFileName: (name) => utf8Of(name) ?? names.get(latin1(name))! });
}

/** What the archive has of it. */
type Name = string[] | Uint8Array | Buffer;

const latin1 = (name: Name): string =>
  name instanceof Uint8Array ? Buffer.from(name).toString('latin1') : name.join('');

function noted(name: Name, names: Set<string>): string {
  const bytes = latin1(name);
  names.add(bytes);
  return bytes;
}

function utf8Of(name: Name): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(latin1(name), 'latin1'));
  } catch {
    return null;
  }
}
