import type { Confinement } from '../../../../runtime/confined-process.ts';

/** The limits of one document. Whoever uploaded it is told the first limit that it reaches. */

/** A table with more rows should be a tool. */
export const MAX_PASSAGES = 50_000;
/** For all passages together: the largest plain text that can be uploaded, with a usual overlap. */
export const MAX_CHARACTERS = 64_000_000;
/** Characters of a table row, a line or a JSON document that are kept in one passage. */
export const MAX_WHOLE = 32_000;
export const MAX_PAGES = 5000;
/** Characters and columns of one row of a table; spreadsheets have no more columns. */
export const MAX_ROW_SIZE = 1_000_000;
export const MAX_COLUMNS = 16_384;
/** The size of the expanded XML of a DOCX. Its reader needs 45 MB for each MB: a book of 3000 pages has 10 MB. */
export const MAX_XML_BYTES = 32 * 1024 * 1024;

/**
 * The process that reads a document. Its heap has held the largest documents that could be read before: a DOCX of 10 MB
 * of XML, 50 MB of JSON. The file of its passages has room for 64 million characters of any script. The 5000 pages of a
 * PDF take 20 s of work.
 */
export const READING: Confinement = { heapMb: 512, memoryMb: 768, fileMb: 256, cpuSeconds: 60, seconds: 300 };
