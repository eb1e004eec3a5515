import { decodeText, type DecodedText } from './decode-text.ts';

/** Where a page or a document of XML says its charset, within so many bytes: pages have comments and scripts before it. */
const LOOKED_AT = 65_536;
const DECLARED = /<(?:meta[^>]+charset|\?xml[^>]+encoding)\s*=\s*["']?([\w-]+)/i;

/**
 * The text of a page or a document of XML, in the charset that it says.
 * @param usual the one where it says none.
 */
export const markupText = (bytes: Buffer, usual?: string): DecodedText =>
  decodeText(bytes, DECLARED.exec(bytes.toString('latin1', 0, LOOKED_AT))?.[1] ?? usual);
