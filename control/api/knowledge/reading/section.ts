/** A part of a document that passages do not cross. */
export interface Section {
  readonly text: string;
  /** Where it stands: `page` of a PDF or a presentation, `row` of a table, `line` of a log. */
  readonly metadata: Readonly<Record<string, number>>;
  /** It stays in one passage unless it is too large: a row of a table makes no sense without its end. */
  readonly whole: boolean;
  /** The headings that it stands below, outermost first: a question often has their words. */
  readonly heading?: string;
  /** A sentence on the whole document for whoever uploaded it: what of it could not be read. */
  readonly note?: string;
}

/** A section that only has a note. */
export const NOTHING: Section = { text: '', metadata: {}, whole: true };

/** What reads the documents within a document: in an archive, or attached to a message. */
export interface Within {
  /** Counts bytes that were expanded. @throws UnreadableDocumentError when they are more than all may have together. */
  take(bytes: number): void;
  /** Whether they were more. */
  isFull(): boolean;
  /** @throws UnreadableDocumentError when it is none. */
  read(name: string, content: Buffer, contentType?: string): AsyncIterable<Section>;
}

/**
 * Reads a type of documents section by section, so that only one of them has to be held.
 * @param within reads the documents in it; not given for the document itself.
 */
export type Reader = (bytes: Buffer, within?: Within) => AsyncIterable<Section> | Iterable<Section>;
