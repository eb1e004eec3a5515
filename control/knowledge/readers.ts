import { parse as parseCsv } from 'csv-parse/sync';
import mammoth from 'mammoth';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Section } from './chunk.ts';
import type { DocumentType } from './document-type.ts';

/** What a document says. `whole`: a section is one passage. */
interface Contents {
  readonly sections: readonly Section[];
  readonly whole: boolean;
}

/** Passages of one document; a table of more rows belongs into a tool. */
export const MOST_CHUNKS = 50_000;
const MOST_PAGES = 5000;

export const readers: Readonly<Record<DocumentType, (bytes: Buffer) => Promise<Contents>>> = {
  pdf: readPdf,
  docx: async (bytes) => running((await mammoth.extractRawText({ buffer: bytes })).value),
  text: async (bytes) => running(decode(bytes)),
  markdown: async (bytes) => running(decode(bytes)),
  csv: async (bytes) => readCsv(decode(bytes)),
  json: async (bytes) => {
    const text = decode(bytes);
    JSON.parse(text);
    return { sections: [{ text, metadata: {} }], whole: true };
  },
  log: async (bytes) => ({
    sections: decode(bytes)
      .split('\n')
      .map((text, index) => ({ text, metadata: { line: index + 1 } })),
    whole: true,
  }),
};

function running(text: string): Contents {
  return { sections: [{ text: text.replaceAll('\r\n', '\n'), metadata: {} }], whole: false };
}

/** UTF-8, or UTF-16 when it says so; anything else is read as Latin-1, which never fails. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

async function readPdf(bytes: Buffer): Promise<Contents> {
  const pdf = await getDocument({
    data: new Uint8Array(bytes),
    useSystemFonts: false,
    disableFontFace: true,
    verbosity: 0,
  }).promise;
  const sections: Section[] = [];
  for (let number = 1; number <= Math.min(pdf.numPages, MOST_PAGES); number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    let text = '';
    let lastLine: number | null = null;
    for (const item of items) {
      if (!('str' in item)) continue;
      // A large step down the page is a new paragraph: text runs carry only positions.
      const y = item.transform[5] as number;
      if (lastLine !== null && Math.abs(lastLine - y) > item.height * 1.8 && item.height > 0) text += '\n\n';
      text += item.str + (item.hasEOL ? '\n' : '');
      if (item.height > 0) lastLine = y;
    }
    sections.push({ text, metadata: { page: number } });
    page.cleanup();
  }
  await pdf.loadingTask.destroy();
  return { sections, whole: false };
}

/** One passage per row, each value behind the name of its column. */
function readCsv(text: string): Contents {
  const rows = parseCsv(text, {
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    to: MOST_CHUNKS + 2,
    delimiter: delimiterOf(text),
  }) as string[][];
  const [header = [], ...records] = rows;
  const sections = records.map((record, index) => ({
    text: record
      .map((value, column) => `${header[column]?.trim() || `column ${column + 1}`}: ${value.trim()}`)
      .join('\n'),
    metadata: { row: index + 1 },
  }));
  return {
    sections:
      records.length === 0 && header.length > 0 ? [{ text: header.join(', '), metadata: { row: 0 } }] : sections,
    whole: true,
  };
}

function delimiterOf(text: string): string {
  const line = text.slice(0, 10_000).split('\n')[0] ?? '';
  const count = (character: string): number => line.split(character).length;
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0]!;
}
