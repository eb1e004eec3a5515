import { readFileSync } from 'node:fs';
import { answer, begun, OUTPUT_FD } from '../../../../runtime/confined-process.ts';
import type { DocumentType } from '../document-type.ts';
import { passagesOf } from './passage.ts';
import { writePassages } from './passage-file.ts';
import type { ReadingAnswer, ReadingRequest } from './read-document.ts';
import { readJson, readLog, readText } from './read-text.ts';
import type { Reader } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/**
 * The confined process that reads one document from its standard input and writes its passages. Untrusted files are
 * parsed and cut only here.
 */
async function readerOf(type: DocumentType): Promise<Reader> {
  switch (type) {
    // Loading these takes most of a second, which other documents avoid.
    case 'pdf':
      return (await import('./read-pdf.ts')).readPdf;
    case 'docx':
      return (await import('./read-docx.ts')).readDocx;
    case 'csv':
      return (await import('./read-csv.ts')).readCsv;
    case 'json':
      return readJson;
    case 'log':
      return readLog;
    case 'text':
    case 'markdown':
      return readText;
  }
}

async function read({ type, chunking }: ReadingRequest): Promise<ReadingAnswer> {
  const reader = await readerOf(type);
  begun();
  try {
    const passages = passagesOf(reader(readFileSync(0)), chunking);
    return { passages: await writePassages(OUTPUT_FD, passages) };
  } catch (error) {
    if (error instanceof UnreadableDocumentError) return { unreadable: error.message };
    // No room was left in memory, on the stack or in the file. The process ends, and the service sees how.
    if (error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'EFBIG') throw error;
    const message = error instanceof Error ? error.message : String(error);
    return { unreadable: `The document could not be read: ${message.split('\n')[0]!.slice(0, 200)}` };
  }
}

answer(await read(JSON.parse(process.argv[2]!) as ReadingRequest));
process.exit(0);
