import { UnreadableDocumentError } from './unreadable-document.ts';

/** What old programs of Office and Outlook store in: a file system within a file (MS-CFB). */
export interface CompoundFile {
  /** Paths of its streams, without the root: `Workbook`, `__attach_version1.0_#00000000/__substg1.0_37010102`. */
  readonly paths: readonly string[];
  /** In any case of letters. @returns as much of it as the file has; null where there is no such stream. */
  stream(path: string): Buffer | null;
}

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ENTRY_SIZE = 128;
const [STORAGE, STREAM, ROOT] = [1, 2, 5];
/** Sectors of the table of sectors that the header names. */
const IN_HEADER = 109;

export const isCompound = (bytes: Buffer): boolean => bytes.subarray(0, 4).equals(SIGNATURE.subarray(0, 4));

const damaged = () => new UnreadableDocumentError('The document is damaged: its parts cannot be opened.');

/** @throws UnreadableDocumentError when it is damaged. A stream that goes round in circles ends where it has begun. */
export function openCompound(bytes: Buffer): CompoundFile {
  if (!bytes.subarray(0, 8).equals(SIGNATURE) || bytes.length < 512) throw damaged();
  const disk = new Disk(bytes);
  const entries = disk.entries();
  const [root] = entries;
  if (root?.type !== ROOT) throw damaged();
  const found = pathsOf(entries);
  const alike = new Map([...found].map(([path, entry]) => [path.toLowerCase(), entry]));
  let small: Buffer | null = null;
  return {
    paths: [...found.keys()],
    stream(path) {
      const entry = found.get(path) ?? alike.get(path.toLowerCase());
      if (entry === undefined) return null;
      if (entry.size >= disk.cutoff) return disk.read(entry.start, entry.size);
      small ??= disk.read(root.start, root.size);
      return disk.readSmall(small, entry.start, entry.size);
    },
  };
}

/** Its sectors, and which of them follows which. */
class Disk {
  readonly #bytes: Buffer;
  readonly #sectorSize: number;
  readonly #smallSize: number;
  readonly #table: Buffer;
  readonly #smallTable: Buffer;
  /** Smaller streams share one. */
  readonly cutoff: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#sectorSize = 2 ** bytes.readUInt16LE(30);
    this.#smallSize = 2 ** bytes.readUInt16LE(32);
    this.cutoff = bytes.readUInt32LE(56);
    if (![512, 4096].includes(this.#sectorSize) || this.#smallSize !== 64) throw damaged();
    this.#table = Buffer.concat(this.#tableSectors().map((sector) => this.#sector(sector)));
    this.#smallTable = this.read(bytes.readInt32LE(60));
  }

  entries(): Entry[] {
    const directory = this.read(this.#bytes.readInt32LE(48));
    const count = Math.floor(directory.length / ENTRY_SIZE);
    return Array.from({ length: count }, (_, index) =>
      entryOf(directory.subarray(index * ENTRY_SIZE, (index + 1) * ENTRY_SIZE)),
    );
  }

  /** @param size what the directory says; without it, to the end of its sectors. */
  read(start: number, size = Number.POSITIVE_INFINITY): Buffer {
    const sectors = chain(this.#table, start, Math.ceil(Math.min(size, this.#bytes.length) / this.#sectorSize));
    return Buffer.concat(sectors.map((sector) => this.#sector(sector))).subarray(0, size);
  }

  readSmall(small: Buffer, start: number, size: number): Buffer {
    const parts = chain(this.#smallTable, start, Math.ceil(size / this.#smallSize));
    const bytes = parts.map((part) => small.subarray(part * this.#smallSize, (part + 1) * this.#smallSize));
    return Buffer.concat(bytes).subarray(0, size);
  }

  #sector(number: number): Buffer {
    return this.#bytes.subarray((number + 1) * this.#sectorSize, (number + 2) * this.#sectorSize);
  }

  /** Those that hold the table. The header names the first of them, and a list of sectors the others. */
  #tableSectors(): number[] {
    const most = Math.ceil(this.#bytes.length / this.#sectorSize);
    const listed = numbersIn(this.#bytes.subarray(76, 76 + IN_HEADER * 4));
    let next = this.#bytes.readInt32LE(68);
    for (let count = 0; next >= 0 && count < most; count += 1) {
      const list = this.#sector(next);
      if (list.length < this.#sectorSize) break;
      listed.push(...numbersIn(list.subarray(0, -4)));
      next = list.readInt32LE(list.length - 4);
    }
    return [...new Set(listed.filter((sector) => sector >= 0 && sector < most))];
  }
}

const numbersIn = (bytes: Buffer): number[] =>
  Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readInt32LE(index * 4));

/** @returns the numbers of a stream's parts, at most so many. */
function chain(table: Buffer, start: number, most: number): number[] {
  const parts: number[] = [];
  const seen = new Set<number>();
  for (let part = start; part >= 0 && parts.length < most && !seen.has(part);) {
    parts.push(part);
    seen.add(part);
    if (part * 4 + 4 > table.length) break;
    part = table.readInt32LE(part * 4);
  }
  return parts;
}

function entryOf(bytes: Buffer): Entry {
  const length = Math.min(64, bytes.readUInt16LE(64));
  return {
    name: bytes.toString('utf16le', 0, Math.max(0, length - 2)),
    type: bytes[66]!,
    left: bytes.readInt32LE(68),
    right: bytes.readInt32LE(72),
    child: bytes.readInt32LE(76),
    start: bytes.readInt32LE(116),
    size: bytes.readUInt32LE(120),
  };
}

/** The folders of a compound file are trees, whose entries name the next ones. */
function pathsOf(entries: readonly Entry[]): Map<string, Entry> {
  const paths = new Map<string, Entry>();
  const seen = new Set<number>([0]);
  const waiting: (readonly [index: number, folder: string])[] = [[entries[0]!.child, '']];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [index, folder] = next;
    const entry = entries[index];
    if (entry === undefined || seen.has(index)) continue;
    seen.add(index);
    const path = folder + entry.name;
    if (entry.type === STREAM) paths.set(path, entry);
    else if (entry.type === STORAGE) waiting.push([entry.child, `${path}/`]);
    waiting.push([entry.left, folder], [entry.right, folder]);
  }
  return paths;
}
