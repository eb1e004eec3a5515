import { fileURLToPath } from 'node:url';
import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { PROTECTED } from './archive.ts';
import { joinLines } from './clean-text.ts';
import { MOST_CHARACTERS, MOST_PAGES } from './limits.ts';
import type { Section } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

const folderOf = (name: string): string =>
  fileURLToPath(new URL(`../../${name}/`, import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')));

/** One section per page, with what its forms and notes say. */
export async function* readPdf(bytes: Buffer): AsyncGenerator<Section> {
  const pdf = await open(bytes);
  if (pdf.numPages > MOST_PAGES)
    throw new UnreadableDocumentError(`The document has more than ${MOST_PAGES} pages. Divide it.`);
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const text = joinLines((await textOf(page)).replaceAll('\u00AD\n', ''));
    const said = (await annotationsOf(page)).filter((line) => !text.includes(line));
    yield { text: [text, ...said].join('\n\n'), metadata: { page: number }, whole: false };
    page.cleanup();
  }
}

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
    if (error instanceof Error && error.name === 'PasswordException') throw new UnreadableDocumentError(PROTECTED);
    throw error;
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

/** What `pdf.js` tells of one; which of it depends on its kind. */
interface Annotation {
  readonly subtype?: string;
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
async function annotationsOf(page: PDFPageProxy): Promise<string[]> {
  const all = (await page.getAnnotations()) as Annotation[];
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
