/** Properties of a paragraph of Word 97 to 2003. */
export interface ParagraphStyle {
  /** 1 to 9 are the levels of headings. */
  readonly style: number;
  readonly isInTable: boolean;
  /** Its mark ends a row of a table. */
  readonly endsRow: boolean;
}

/** Bytes of the file that have a property. */
export interface Run<T> {
  readonly from: number;
  readonly to: number;
  readonly value: T;
}

/** Properties stand in pages of so many bytes, whose last one says how many there are. */
const PAGE = 512;

/** Changes of properties (MS-DOC, 2.6). */
const [DELETED, STRUCK, HIDDEN, STRUCK_TWICE] = [0x0800, 0x0837, 0x083c, 0x2a53];
const [IN_TABLE, ENDS_ROW] = [0x2416, 0x2417];
const [TABLE_COLUMNS, TABS] = [0xd608, 0xc615];

export const UNSEEN = 'unseen';

/** Of a run of characters: whether nobody sees them, by its list of changes. */
export const whatItHides = (changes: Buffer): typeof UNSEEN | null => {
  const isOn = new Map<number, boolean>();
  for (const { kind, operand } of changesIn(changes))
    if ([DELETED, STRUCK, HIDDEN, STRUCK_TWICE].includes(kind)) isOn.set(kind, operand[0] === 1 || operand[0] === 0x81);
  return [...isOn.values()].includes(true) ? UNSEEN : null;
};

/** @returns what runs of characters have, in the order of the file. @param list of the pages with their properties. */
export function runsOf<T>(main: Buffer, list: Buffer, valueOf: (changes: Buffer) => T | null): Run<T>[] {
  return pagesOf(main, list).flatMap(({ page, count, range }) =>
    Array.from({ length: count }, (_, index): Run<T>[] => {
      const at = page[(count + 1) * 4 + index]! * 2;
      const value = at === 0 ? null : valueOf(page.subarray(at + 1, at + 1 + page[at]!));
      return value === null ? [] : [{ ...range(index), value }];
    }).flat(),
  );
}

/** Bytes beside each paragraph of a page. */
const BESIDE = 13;

export function paragraphsOf(main: Buffer, list: Buffer): Run<ParagraphStyle>[] {
  return pagesOf(main, list).flatMap(({ page, count, range }) =>
    Array.from({ length: count }, (_, index): Run<ParagraphStyle>[] => {
      const place = (count + 1) * 4 + index * BESIDE;
      const at = place < PAGE ? page[place]! * 2 : 0;
      if (at === 0 || at + 2 > PAGE) return [];
      // A length of 0 says that the next byte has it.
      const properties =
        page[at] === 0 ? page.subarray(at + 2, at + 2 + page[at + 1]! * 2) : page.subarray(at + 1, at + page[at]! * 2);
      if (properties.length < 2) return [];
      const on = new Set<number>();
      for (const { kind, operand } of changesIn(properties.subarray(2))) if (operand[0] === 1) on.add(kind);
      const style = properties.readUInt16LE(0);
      return [{ ...range(index), value: { style, isInTable: on.has(IN_TABLE), endsRow: on.has(ENDS_ROW) } }];
    }).flat(),
  );
}

interface PropertyPage {
  readonly page: Buffer;
  readonly count: number;
  readonly range: (index: number) => { from: number; to: number };
}

function pagesOf(main: Buffer, list: Buffer): PropertyPage[] {
  const pages = Math.max(0, Math.floor((list.length - 4) / 8));
  return Array.from({ length: pages }, (_, index): PropertyPage[] => {
    const number = list.readUInt32LE((pages + 1) * 4 + index * 4) & 0x3fffff;
    const page = main.subarray(number * PAGE, (number + 1) * PAGE);
    const count = page[PAGE - 1] ?? 0;
    if (page.length < PAGE || (count + 1) * 4 + count > PAGE) return [];
    const range = (at: number) => ({ from: page.readUInt32LE(at * 4), to: page.readUInt32LE(at * 4 + 4) });
    return [{ page, count, range }];
  })
    .flat()
    .toSorted((a, b) => a.range(0).from - b.range(0).from);
}

/** @returns the value of the run that has this byte. @param runs in the order of the file. */
export function runAt<T>(runs: readonly Run<T>[], byte: number): T | null {
  let [low, high] = [0, runs.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (runs[middle]!.from <= byte) low = middle;
    else high = middle - 1;
  }
  const run = runs[low];
  return run !== undefined && byte >= run.from && byte < run.to ? run.value : null;
}

/** Bytes of an operand by the kind's highest bits; the others say how long they are. */
const OPERANDS = [1, 1, 2, 4, 2, 2, null, 3] as const;

function* changesIn(list: Buffer): Generator<{ kind: number; operand: Buffer }> {
  for (let at = 0; at + 3 <= list.length;) {
    const kind = list.readUInt16LE(at);
    at += 2;
    let length: number = OPERANDS[kind >> 13] ?? 0;
    if (OPERANDS[kind >> 13] === null) {
      if (kind === TABLE_COLUMNS && at + 2 <= list.length) length = list.readUInt16LE(at) + 1;
      // Of so many tabs, the length is not said.
      else if (kind === TABS && list[at] === 255) return;
      else length = list[at]! + 1;
    }
    yield { kind, operand: list.subarray(at, at + length) };
    at += length;
  }
}
