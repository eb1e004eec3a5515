/** A part of a presentation of PowerPoint 97 to 2003 (MS-PPT, 2.3.1), which may have others within it. */
export interface PptRecord {
  readonly kind: number;
  readonly instance: number;
  readonly hasChildren: boolean;
  /** How many records it is within. */
  readonly depth: number;
  /** Where its content begins and ends in `bytes`. */
  readonly from: number;
  readonly to: number;
  readonly bytes: Buffer;
}

const HEADER = 8;
const CONTAINER = 0xf;
/** Shapes in groups in groups: deeper ones are none. */
const MAX_DEPTH = 100;

/** @returns the record that begins there; null where none does. */
export function recordAt(bytes: Buffer, at: number, end = bytes.length, depth = 0): PptRecord | null {
  if (at < 0 || at + HEADER > end) return null;
  const [kind, first, length] = [bytes.readUInt16LE(at + 2), bytes.readUInt16LE(at), bytes.readUInt32LE(at + 4)];
  const [from, to] = [at + HEADER, Math.min(end, at + HEADER + length)];
  return { kind, instance: first >> 4, hasChildren: (first & 0xf) === CONTAINER, depth, from, to, bytes };
}

export const bodyOf = ({ bytes, from, to }: PptRecord): Buffer => bytes.subarray(from, to);

/** Records one behind the other. */
export function recordsIn(bytes: Buffer, from = 0, end = bytes.length, depth = 0): PptRecord[] {
  const records: PptRecord[] = [];
  for (let next = recordAt(bytes, from, end, depth); next !== null; next = recordAt(bytes, next.to, end, depth))
    records.push(next);
  return records;
}

/** Texts in shapes are containers without saying so. */
const DRAWN_TEXT = 0xf00d;

export const childrenOf = ({ bytes, from, to, depth, kind, hasChildren }: PptRecord): PptRecord[] =>
  (hasChildren || kind === DRAWN_TEXT) && depth < MAX_DEPTH ? recordsIn(bytes, from, to, depth + 1) : [];
