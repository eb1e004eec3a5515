import { cleanText } from './clean-text.ts';
import { cutIntoPassages } from './cut-into-passages.ts';
import { MAX_WHOLE, MAX_CHARACTERS, MAX_PASSAGES } from './limits.ts';
import type { Section } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** A part of a document that a search can find. */
export interface Passage {
  readonly content: string;
  /** Where it stands in the document. */
  readonly metadata: {
    readonly page?: number | undefined;
    readonly row?: number | undefined;
    readonly line?: number | undefined;
    readonly heading?: string | undefined;
  };
}

/** Characters of the headings that a passage stands below. */
export const MAX_HEADING_LENGTH = 400;

export interface Chunking {
  /** Characters of a passage at most. */
  readonly size: number;
  /** Characters that neighbors share. */
  readonly overlap: number;
}

/** @throws UnreadableDocumentError as soon as there are too many. */
export async function* passagesOf(
  sections: AsyncIterable<Section> | Iterable<Section>,
  { size, overlap }: Chunking,
): AsyncGenerator<Passage> {
  let [passages, characters] = [0, 0];
  for await (const { text, metadata: place, whole, heading = '' } of sections) {
    const clean = cleanText(text).trim();
    const metadata = heading === '' ? place : { ...place, heading: cleanText(heading).slice(0, MAX_HEADING_LENGTH) };
    if (clean === '') continue;
    const contents = whole && clean.length <= MAX_WHOLE ? [clean] : cutIntoPassages(clean, size, overlap);
    for (const content of contents) {
      passages += 1;
      characters += content.length;
      if (passages > MAX_PASSAGES)
        throw new UnreadableDocumentError(
          `The document has more than ${MAX_PASSAGES} passages. Divide it, or use a larger chunkSize.`,
        );
      if (characters > MAX_CHARACTERS)
        throw new UnreadableDocumentError(
          'The passages of the document hold more than 64 million characters. Divide it, or use a smaller chunkOverlap.',
        );
      yield { content, metadata };
    }
  }
}
