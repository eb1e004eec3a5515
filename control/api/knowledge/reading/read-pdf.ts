import { fileURLToPath } from 'node:url';
import { getDocument, OPS, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { PROTECTED } from './archive.ts';
import { joinLines } from './clean-text.ts';
import { MAX_CHARACTERS, MAX_PAGES } from './limits.ts';
import { inReadingOrder } from './pdf-columns.ts';
import { ArabicLigatures, type PageLigatures } from './pdf-ligatures.ts';
import { PdfLines, type Piece } from './pdf-lines.ts';
import { PdfLinks } from './pdf-links.ts';
import { pageHeadings } from './pdf-outline.ts';
import { goingOn } from './pdf-pages.ts';
import { attachmentsNote, checkFirstPage, damagedNote, FontCheck, scannedNote } from './pdf-notes.ts';
import { NOTHING, type Section } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

const folderOf = (name: string): string =>
  fileURLToPath(new URL(`../../${name}/`, import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')));

/** Pages whose pictures are looked for: that decodes them. */
const LOOKED_AT = 8;

/** One section per page, with what its forms and notes say. */
export async function* readPdf(bytes: Buffer): AsyncGenerator<Section> {
  const pdf = await open(bytes);
  if (pdf.numPages > MAX_PAGES)
    throw new UnreadableDocumentError(`The document has more than ${MAX_PAGES} pages. Divide it.`);
  const pictures: number[] = [];
  const damaged: number[] = [];
  const headingOf = await pageHeadings(pdf);
  let before = '';
  const seen: Seen = { addresses: new Set(), fonts: new FontCheck(), ligatures: new ArabicLigatures() };
  for (let number = 1; number <= pdf.numPages; number += 1) {
    try {
      const page = await pdf.getPage(number);
      const text = await pageText(page, seen);
      yield { text: goingOn(before, text), metadata: { page: number }, whole: false, heading: headingOf(number) };
      before = text;
      if (text.trim() === '' && (pictures.length >= LOOKED_AT || (await showsPicture(page)))) pictures.push(number);
      page.cleanup();
    } catch (error) {
      if (!isDamage(error)) throw error;
      damaged.push(number);
    }
  }
  if (damaged.length === pdf.numPages) throw new UnreadableDocumentError(DAMAGED);
  if (pictures.length > 0) yield { ...NOTHING, note: scannedNote(pictures, pdf.numPages) };
  for (const note of [damagedNote(damaged), seen.fonts.note, await attachmentsNote(pdf)])
    if (note !== null) yield { ...NOTHING, note };
}

/** Of a page alone. What says why a document cannot be read, and where no room is left in memory, are none. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof UnreadableDocumentError) && !(error instanceof RangeError);

/** Of the pages before. */
interface Seen {
  /** That pictures link to: a logo is on every page. */
  readonly addresses: Set<string>;
  readonly fonts: FontCheck;
  readonly ligatures: ArabicLigatures;
}

async function pageText(page: PDFPageProxy, { addresses: known, fonts, ligatures }: Seen): Promise<string> {
  const annotations: readonly Annotation[] = await page.getAnnotations();
  const links = new PdfLinks(annotations);
  const text = joinLines((await textOf(page, links, ligatures.page(page))).replaceAll('\u00AD\n', ''));
  const said = textsOf(annotations).filter((line) => !text.includes(line));
  const addresses = [...new Set(links.others)].filter((address) => !text.includes(address) && !known.has(address));
  for (const address of addresses) known.add(address);
  if (page.pageNumber === 1) checkFirstPage(text);
  fonts.add(text);
  return [text, ...said, ...addresses].join('\n\n');
}

const PICTURES: ReadonlySet<number> = new Set([
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintImageXObjectRepeat,
  OPS.paintImageMaskXObjectRepeat,
]);

async function showsPicture(page: PDFPageProxy): Promise<boolean> {
  try {
    const { fnArray } = await page.getOperatorList();
    return fnArray.some((operation) => PICTURES.has(operation));
  } catch {
    return false;
  }
}

const DAMAGED =
  'The PDF is damaged or not complete. If it opens in a viewer, print it as PDF there, and upload the result.';

async function open(bytes: Buffer): Promise<PDFDocumentProxy> {
  const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return await getDocument({
      data,
      useSystemFonts: false,
      disableFontFace: true,
      verbosity: 0,
      // Character codes of Chinese, Japanese and Korean fonts that are not embedded.
      cMapUrl: folderOf('cmaps'),
      cMapPacked: true,
      standardFontDataUrl: folderOf('standard_fonts'),
    }).promise;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'PasswordException') throw new UnreadableDocumentError(PROTECTED);
    throw isDamage(error) ? new UnreadableDocumentError(DAMAGED) : error;
  }
}

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;
type TextItem = Extract<TextContent['items'][number], { str: string }>;

async function textOf(page: PDFPageProxy, links: PdfLinks, ligatures: PageLigatures): Promise<string> {
  const lines = new PdfLines();
  let characters = 0;
  // Piece by piece: a page of a few kilobytes can draw the same text a billion times.
  for await (const { items } of page.streamTextContent() as AsyncIterable<TextContent>) {
    for (const item of items) {
      if (!('str' in item)) continue;
      characters += item.str.length;
      const piece = pieceOf(item, await ligatures.inOrder(item.str));
      const taken = lines.take(piece);
      if (taken !== null && item.transform[1] === 0) links.see(taken.segment, taken.piece);
    }
    if (characters > MAX_CHARACTERS)
      throw new UnreadableDocumentError('A page of the document holds more text than a document may.');
  }
  links.write();
  return inReadingOrder(lines.end())
    .map(({ segments, isAfterGap }) => (isAfterGap ? '\n' : '') + segments.map(({ text }) => text).join(''))
    .join('\n')
    .trim();
}

/** In the direction of its writing: whole pages are turned, and notes at the edge of others. */
function pieceOf(item: TextItem, text: string): Piece {
  const [cosine, sine, , , x, y] = item.transform as [number, number, number, number, number, number];
  const size = Math.hypot(cosine, sine) || 1;
  const left = (x * cosine + y * sine) / size;
  const baseline = (y * cosine - x * sine) / size;
  const place = { left, right: left + item.width, baseline, height: item.height };
  return { ...place, text, isRightToLeft: item.dir === 'rtl', isLast: item.hasEOL };
}

/** What `pdf.js` tells of one; which of it depends on its kind. */
interface Annotation {
  readonly subtype?: string;
  readonly url?: string;
  readonly unsafeUrl?: string;
  readonly rect?: readonly number[];
  readonly fieldType?: string;
  readonly fieldName?: string;
  readonly alternativeText?: string;
  readonly fieldValue?: unknown;
  readonly exportValue?: string;
  readonly buttonValue?: string;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  readonly options?: readonly { readonly exportValue: string; readonly displayValue: string }[];
  readonly contentsObj?: { readonly str: string };
}

/** Values of a form with their names, and notes. */
function textsOf(all: readonly Annotation[]): string[] {
  const fields = all.filter(({ subtype }) => subtype === 'Widget').map(fieldText);
  const notes = all
    .filter(({ subtype }) => subtype !== 'Widget' && subtype !== 'Link' && subtype !== 'Popup')
    .map(({ contentsObj }) => contentsObj?.str.trim() ?? '');
  return [fields.filter(Boolean).join('\n'), ...notes].filter((line) => line !== '');
}

function fieldText(field: Annotation): string {
  const name = nameOf(field);
  if (field.fieldType === 'Btn') {
    if (field.checkBox === true) return `${name}: ${isOff(field.fieldValue) ? 'no' : 'yes'}`;
    if (field.radioButton === true && field.fieldValue === field.buttonValue && !isOff(field.fieldValue))
      return `${name}: ${String(field.fieldValue)}`;
    return '';
  }
  const values = (Array.isArray(field.fieldValue) ? field.fieldValue : [field.fieldValue]).map(
    (value) => field.options?.find(({ exportValue }) => exportValue === value)?.displayValue ?? value,
  );
  const text = values
    .filter((value) => typeof value === 'string')
    .join(', ')
    .trim();
  return text === '' ? '' : `${name}: ${text}`;
}

/** What the form says of it, and its name, unless a program has made that up: `f1_01[0]`. */
function nameOf({ alternativeText = '', fieldName = '' }: Annotation): string {
  const own = fieldName.split('.').at(-1)!;
  const names = [alternativeText, own].filter((name) => name !== '');
  if (names.length === 2 && !/^\p{L}[\p{L} -]*$/u.test(own)) names.pop();
  return [...new Set(names)].join(', ') || 'Field';
}

const isOff = (value: unknown): boolean => value === null || value === undefined || value === '' || value === 'Off';
