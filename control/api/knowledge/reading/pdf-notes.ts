import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** What of a PDF cannot be read, in sentences for whoever uploaded it. */

/** Pages of which the first are named. */
const NAMED = 8;
const OCR = 'Run text recognition (OCR) on it, and upload the result.';

/** @param pages that are pictures. @param all pages of the document. */
export function scannedNote(pages: readonly number[], all: number): string {
  if (pages.length === all)
    return `This PDF is scanned: its pages are pictures, and there is no text in it that can be read. ${OCR}`;
  return `${named(pages)} ${pages.length === 1 ? 'is a picture' : 'are pictures'} without text. ${OCR}`;
}

const named = (pages: readonly number[]): string =>
  `Page${pages.length === 1 ? '' : 's'} ${pages.slice(0, NAMED).join(', ')}${pages.length > NAMED ? ' …' : ''}`;

export function damagedNote(pages: readonly number[]): string | null {
  if (pages.length === 0) return null;
  return `${named(pages)} ${pages.length === 1 ? 'is' : 'are'} damaged and could not be read.`;
}

/** What Adobe's programs put in place of a form that only they can show. */
const ONLY_ADOBE = /^\s*Please wait\.\.\.\s+If this message is not eventually replaced/;

/** @throws UnreadableDocumentError when the first page only says that another program is needed. */
export function checkFirstPage(text: string): void {
  if (ONLY_ADOBE.test(text))
    throw new UnreadableDocumentError(
      'This form can only be shown by Adobe Reader: print it as PDF there, and upload the result.',
    );
}

/** Signs that are no letters: of fonts that do not say which letters they show. */
const NO_LETTERS = /[\uE000-\uF8FF\uFFFD]|(?![\t\n\f\r])\p{Cc}/gu;
/** From this part of them on, a text is of no use. */
const MAX_NO_LETTERS = 0.2;
const MIN_CHARACTERS = 40;

/** Counts the characters of a document, and those that are no letters. */
export class FontCheck {
  #all = 0;
  #unknown = 0;

  add(text: string): void {
    this.#all += text.replaceAll(/\s/g, '').length;
    this.#unknown += text.match(NO_LETTERS)?.length ?? 0;
  }

  get note(): string | null {
    const isUseless = this.#all >= MIN_CHARACTERS && this.#unknown > this.#all * MAX_NO_LETTERS;
    return isUseless ? `Its fonts do not say which letters they show, so it was not read right. ${OCR}` : null;
  }
}

export async function attachmentsNote(pdf: PDFDocumentProxy): Promise<string | null> {
  const attached = ((await pdf.getAttachments().catch(() => null)) ?? {}) as Record<string, unknown>;
  return attachedNote(attached instanceof Map ? [...attached.keys()] : Object.keys(attached));
}

/** Of files within a document. @returns null when there are none. */
export function attachedNote(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const more = names.length > NAMED ? ' …' : '';
  return `Files that are attached to it are not read: ${names.slice(0, NAMED).join(', ')}${more}. Upload them on their own.`;
}
