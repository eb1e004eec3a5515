import { readFileSync } from 'node:fs';
import { answer, begun, OUTPUT_FD } from '../../../../runtime/confined-process.ts';
import type { DocumentType } from '../document-type.ts';
import { passagesOf } from './passage.ts';
import { writePassages } from './passage-file.ts';
import type { ReadingAnswer, ReadingRequest } from './read-document.ts';
import { readerOf } from './reader-of.ts';
import type { Reader, Section } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

const TEXTS: ReadonlySet<DocumentType> = new Set([
  'text',
  'wiki',
  'markdown',
  'asciidoc',
  'rst',
  'org',
  'latex',
  'notebook',
  'yaml',
  'csv',
  'json',
  'jsonl',
  'log',
  'html',
  'xml',
  'calendar',
]);

/**
 * The confined process that reads one document from its standard input and writes its passages. Untrusted files are
 * parsed and cut only here.
 */
async function read({ type: named, chunking }: ReadingRequest): Promise<ReadingAnswer> {
  const { contentKind } = await import('./content-kind.ts');
  await readerOf(named);
  begun();
  try {
    const bytes = readFileSync(0);
    const type = await contentKind(bytes, named);
    const reader = await readerOf(type);
    const notes: string[] = [];
    const written = await writePassages(OUTPUT_FD, passagesOf(noted(reader(bytes), notes), chunking));
    const doubt = [await doubtOf(type, bytes), ...notes].filter((note) => note !== null);
    // Of a document without text, the note says why.
    if (written === 0 && doubt.length > 0) return { unreadable: doubt.join(' ') };
    return { passages: written, doubt: doubt.length === 0 ? null : doubt.join(' ') };
  } catch (error) {
    if (error instanceof UnreadableDocumentError) return { unreadable: error.message };
    // No room was left in memory, on the stack or in the file. The process ends, and the service sees how.
    if (error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'EFBIG') throw error;
    const message = error instanceof Error ? error.message : String(error);
    return { unreadable: `The document could not be read: ${message.split('\n')[0]!.slice(0, 200)}` };
  }
}

/** Keeps the notes of the sections that pass. */
async function* noted(sections: ReturnType<Reader>, notes: string[]): AsyncGenerator<Section> {
  for await (const section of sections) {
    if (section.note !== undefined) notes.push(section.note);
    yield section;
  }
}

/** Whether the characters of a text may be wrong. */
async function doubtOf(type: DocumentType, bytes: Buffer): Promise<string | null> {
  if (!TEXTS.has(type)) return null;
  if (type === 'html' || type === 'xml') return (await import('./markup-text.ts')).markupText(bytes).doubt;
  return (await import('./decode-text.ts')).decodeText(bytes).doubt;
}

answer(await read(JSON.parse(process.argv[2]!) as ReadingRequest));
process.exit(0);
