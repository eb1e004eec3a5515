import type { Section } from './section.ts';
import type { Row } from './row.ts';
import { tableSections } from './table.ts';

/** What documents of all formats are made of, in their order. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly Row[]; readonly hasHeader: boolean | null };

/** Headings together, in characters. */
const MAX_HEADING_LENGTH = 300;

/** A section for each heading and what stands below it; tables by rows. */
export function* sectionsOf(blocks: Iterable<Block>, metadata: Section['metadata'] = {}): Generator<Section> {
  const headings: string[] = [];
  let text: string[] = [];
  const heading = (): string => headings.filter(Boolean).join(' › ').slice(0, MAX_HEADING_LENGTH);
  const section = (): Section[] => {
    const joined = text.join('\n\n');
    text = [];
    return joined.trim() === '' ? [] : [{ text: joined, metadata, whole: false, heading: heading() }];
  };
  /** Whether only headings have come since the last section: they belong to what follows. */
  let isHeadingOnly = true;
  for (const block of blocks) {
    if (block.kind === 'table') {
      if (!isHeadingOnly) yield* section();
      text = [];
      yield* tableSections(block.rows, block.hasHeader, { metadata, heading: heading() });
      isHeadingOnly = true;
      continue;
    }
    const line = block.text.trim();
    if (line === '') continue;
    if (block.kind === 'heading') {
      if (!isHeadingOnly) yield* section();
      headings.length = Math.max(0, block.level - 1);
      headings[block.level - 1] = line.replaceAll(/\s+/g, ' ');
      isHeadingOnly = true;
    } else isHeadingOnly = false;
    text.push(line);
  }
  yield* section();
}
