import { deflated, deflatedTwice, MB, megabyteOf, type Repeated } from './repeated.ts';

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const ONE_PAGE = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const TWICE = '/Filter [/FlateDecode /FlateDecode]';
const BOX = '[0 0 612 792]';

/** A content stream that writes lines. */
export function linesOfText(megabytes: number): Repeated {
  const unit = megabyteOf('(The same line again and again.) Tj T* ');
  return { before: 'BT /F1 12 Tf 14 TL 72 720 Td ', unit, times: megabytes, after: 'ET' };
}

/** A PDF of one page with one line. */
export function pdfOfLine(text: string): Buffer {
  return pdfOfPage(stream('', Buffer.from(`BT /F1 12 Tf 72 720 Td (${text}) Tj ET`)));
}

/** A PDF of one page whose content is deflated twice. */
export function pdfOfContent(content: Repeated): Buffer {
  return pdfOfPage(stream(TWICE, deflatedTwice(content)));
}

function pdfOfPage(content: Buffer): Buffer {
  return pdfOf([CATALOG, ONE_PAGE, page('/Font << /F1 5 0 R >>', 4), content, HELVETICA]);
}

/** Each form draws the next one ten times: the innermost line stands on the page ten to the power of `depth` times. */
export function pdfOfFormsInForms(depth: number): Buffer {
  const form = (content: string, resources: string): Buffer =>
    stream(`/Type /XObject /Subtype /Form /BBox ${BOX} /Resources << ${resources} >>`, Buffer.from(content));
  const tenTimes = '/X Do '.repeat(10);
  const innermost = form('BT /F1 12 Tf 72 720 Td (Again.) Tj ET', '/Font << /F1 5 0 R >>');
  const outer = Array.from({ length: depth - 1 }, (_, index) => form(tenTimes, `/XObject << /X ${7 + index} 0 R >>`));
  const content = stream('', Buffer.from(tenTimes));
  return pdfOf([CATALOG, ONE_PAGE, page('/XObject << /X 6 0 R >>', 4), content, HELVETICA, ...outer, innermost]);
}

/** Many pages that share one content stream. */
export function pdfOfPages(pages: number, content: Repeated): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${5 + index} 0 R`).join(' ');
  const tree = `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`;
  const shared = stream('/Filter /FlateDecode', deflated(content));
  const each = Array.from({ length: pages }, () => page('/Font << /F1 3 0 R >>', 4));
  return pdfOf([CATALOG, tree, HELVETICA, shared, ...each]);
}

/** A short text in a font whose file is the bomb. */
export function pdfOfFont(file: Repeated): Buffer {
  return pdfOf([
    CATALOG,
    ONE_PAGE,
    page('/Font << /F1 5 0 R >>', 4),
    stream('', Buffer.from('BT /F1 12 Tf 72 720 Td (Short.) Tj ET')),
    '<< /Type /Font /Subtype /TrueType /BaseFont /B /FirstChar 32 /LastChar 32 /Widths [500] /FontDescriptor 6 0 R >>',
    '<< /Type /FontDescriptor /FontName /B /Flags 32 /FontBBox [0 0 1 1] /ItalicAngle 0 /StemV 1 /FontFile2 7 0 R >>',
    stream(TWICE, deflatedTwice(file)),
  ]);
}

/** A table of contents of many objects that all lie in the same place. */
export function pdfOfObjects(count: number): Buffer {
  const header = '%PDF-1.5\n';
  const rows = deflatedTwice({ unit: megabyteOf('\x01\x00\x09\x00'), times: Math.ceil((count * 4) / MB) });
  const table = stream(`/Type /XRef /Size ${count} /W [1 2 1] /Root 2 0 R ${TWICE}`, rows);
  const end = `\nendobj\nstartxref\n${header.length}\n%%EOF`;
  return Buffer.concat([Buffer.from(`${header}1 0 obj\n`), table, Buffer.from(end)]);
}

function page(resources: string, content: number): string {
  return `<< /Type /Page /Parent 2 0 R /MediaBox ${BOX} /Contents ${content} 0 R /Resources << ${resources} >> >>`;
}

function stream(dictionary: string, data: Buffer): Buffer {
  const opening = Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`);
  return Buffer.concat([opening, data, Buffer.from('\nendstream')]);
}

/** @param objects numbered from 1; the first is the catalog. */
function pdfOf(objects: readonly (string | Buffer)[]): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [index, object] of objects.entries()) {
    const content = typeof object === 'string' ? Buffer.from(object) : object;
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), content, Buffer.from('\nendobj\n')]);
    offsets.push(length);
    parts.push(part);
    length += part.length;
  }
  const size = objects.length + 1;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF`;
  return Buffer.concat([...parts, Buffer.from(table + trailer)]);
}
