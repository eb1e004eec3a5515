import { docxOf, docxOfStyles } from './docx.ts';
import { linesOfText, pdfOfContent, pdfOfFont, pdfOfFormsInForms, pdfOfObjects, pdfOfPages } from './hostile-pdf.ts';
import { MB, megabyteOf } from './repeated.ts';

/** A document made to take far more than its size. It ends as FAILED, or is merely long, and nobody else notices. */
export interface HostileDocument {
  readonly name: string;
  readonly filename: string;
  readonly contentType: string;
  content(): Buffer;
}

const SHORT_PARAGRAPHS = { unit: megabyteOf('<w:p><w:r><w:t>a</w:t></w:r></w:p>'), times: 300 };
const STYLE = '<w:style w:type="paragraph" w:styleId="s"><w:name w:val="n"/></w:style>';
const ONE_TEXT = { before: '<w:p><w:r><w:t>', unit: megabyteOf('word '), times: 2048, after: '</w:t></w:r></w:p>' };
const COLUMNS = 16_000;

export const HOSTILE_DOCUMENTS: readonly HostileDocument[] = [
  docx('a DOCX of 300 MB of short paragraphs', () => docxOf(SHORT_PARAGRAPHS)),
  docx('a DOCX of 300 MB that says that it is small', () => docxOf(SHORT_PARAGRAPHS, 2000)),
  docx('a DOCX of 1 GB of blanks', () => docxOf({ unit: megabyteOf(' '), times: 1024 })),
  docx('a DOCX of 2 GB of one text', () => docxOf(ONE_TEXT)),
  docx('a DOCX of two million elements in each other', () => docxOf({ unit: '<w:p>'.repeat(200_000), times: 10 })),
  docx('a DOCX of 200 MB of styles', () => docxOfStyles({ unit: megabyteOf(STYLE), times: 200 })),

  pdf('a PDF whose page expands to 2 GB', () => pdfOfContent({ unit: megabyteOf('% blank\n'), times: 2048 })),
  pdf('a PDF with 500 MB of text on a page', () => pdfOfContent(linesOfText(500))),
  pdf('a PDF of 4000 pages of one text', () => pdfOfPages(4000, linesOfText(1))),
  pdf('a PDF of forms in forms', () => pdfOfFormsInForms(10)),
  pdf('a PDF with a font that expands to 2 GB', () => pdfOfFont({ unit: megabyteOf('\0'), times: 2048 })),
  pdf('a PDF of 100 million objects', () => pdfOfObjects(100 * MB)),

  text('20 MB of full stops', 'stops.txt', () => '. '.repeat(10 * MB)),
  text('a word of 50 MB', 'word.txt', () => 'a'.repeat(50 * MB)),
  text('paragraphs of one letter', 'letters.md', () => 'a\n\n'.repeat(16 * MB)),
  text('25 million lines of one letter', 'lines.log', () => '\na'.repeat(25 * MB)),
  text('40 MB of brackets in brackets', 'brackets.json', () => '['.repeat(20 * MB) + ']'.repeat(20 * MB)),
  text('13 million empty objects', 'objects.json', () => `[${'{},'.repeat(13 * MB)}{}]`),
  text('a table of 40 million columns', 'columns.csv', () => ','.repeat(40 * MB)),
  text(
    'a table whose long header every row repeats',
    'header.csv',
    () => `${'a column with a long name,'.repeat(COLUMNS)}\n${`${','.repeat(COLUMNS)}\n`.repeat(1000)}`,
  ),
  text('a quotation that never ends', 'quotation.csv', () => `a,b\n"${'x,"" '.repeat(9 * MB)}`),
];

function docx(name: string, content: () => Buffer): HostileDocument {
  const contentType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  return { name, filename: 'hostile.docx', contentType, content };
}

function pdf(name: string, content: () => Buffer): HostileDocument {
  return { name, filename: 'hostile.pdf', contentType: 'application/pdf', content };
}

/** The extension says what it is. */
function text(name: string, filename: string, content: () => string): HostileDocument {
  return { name, filename, contentType: 'application/octet-stream', content: () => Buffer.from(content()) };
}
