import { getDocument, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { MOST_CHARACTERS, MOST_PAGES } from './limits.ts';
import type { Section } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** One section per page. */
export async function* readPdf(bytes: Buffer): AsyncGenerator<Section> {
  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pdf = await getDocument({ data, useSystemFonts: false, disableFontFace: true, verbosity: 0 }).promise;
  if (pdf.numPages > MOST_PAGES)
    throw new UnreadableDocumentError(`The document has more than ${MOST_PAGES} pages. Divide it.`);
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    yield { text: await textOf(page), metadata: { page: number }, whole: false };
    page.cleanup();
  }
}

async function textOf(page: PDFPageProxy): Promise<string> {
  let text = '';
  let lastLine: number | null = null;
  // Piece by piece: a page of a few kilobytes can draw the same text a billion times.
  for await (const { items } of page.streamTextContent() as AsyncIterable<
    Awaited<ReturnType<PDFPageProxy['getTextContent']>>
  >) {
    for (const item of items) {
      if (!('str' in item)) continue;
      // A large step down the page is a new paragraph: text runs carry only positions.
      const y = item.transform[5] as number;
      if (lastLine !== null && Math.abs(lastLine - y) > item.height * 1.8 && item.height > 0) text += '\n\n';
      text += item.str + (item.hasEOL ? '\n' : '');
      if (item.height > 0) lastLine = y;
    }
    if (text.length > MOST_CHARACTERS)
      throw new UnreadableDocumentError('A page of the document holds more text than a document may.');
  }
  return text;
}
