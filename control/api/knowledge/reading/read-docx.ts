import { Readable } from 'node:stream';
import JSZip from 'jszip';
import mammoth from 'mammoth';
import { MOST_XML_BYTES } from './limits.ts';
import type { Section } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

export async function* readDocx(bytes: Buffer): AsyncGenerator<Section> {
  await checkExpansion(bytes);
  const { value } = await mammoth.extractRawText({ buffer: bytes });
  yield { text: value, metadata: {}, whole: false };
}

/** Expands the parts that hold text and counts their bytes: the sizes in the archive's headers may be wrong. */
async function checkExpansion(bytes: Buffer): Promise<void> {
  const archive = await JSZip.loadAsync(bytes);
  let expanded = 0;
  for (const part of archive.file(/\.(xml|rels)$/i)) {
    for await (const chunk of new Readable().wrap(part.nodeStream()) as AsyncIterable<Buffer>) {
      expanded += chunk.length;
      if (expanded > MOST_XML_BYTES)
        throw new UnreadableDocumentError('The document expands to more text than it may. Divide it.');
    }
  }
}
