import { fileTypeFromBuffer } from 'file-type';
import type { DocumentType } from '../document-type.ts';
import { openZip, PROTECTED } from './archive.ts';
import { asciiStart } from './ascii-start.ts';
import { isCompound, openCompound } from './compound-file.ts';
import { isMail } from './is-mail.ts';
import { isTar } from './is-tar.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** Formats that are told by their bytes. Anything else is text, and its name says which kind. */
const BINARY: ReadonlySet<DocumentType> = new Set<DocumentType>([
  'pdf',
  'docx',
  'doc',
  'xlsx',
  'xls',
  'pptx',
  'ppt',
  'msg',
  'odf',
  'epub',
  'rtf',
  'zip',
  'tar',
  'gzip',
]);

/**
 * What a file is, by its content: names are wrong more often than one thinks.
 * @param named what its name says. @throws UnreadableDocumentError that says what it is and what can be done.
 */
export async function contentKind(bytes: Buffer, named: DocumentType): Promise<DocumentType> {
  if (bytes.length === 0) throw new UnreadableDocumentError('The file is empty.');
  const start = bytes.toString('latin1', 0, 1024);
  if (start.includes('%PDF-')) return 'pdf';
  if (start.startsWith('{\\rtf')) return 'rtf';
  if (start.startsWith('PK\x03\x04')) return archiveKind(bytes);
  if (start.startsWith(END_OF_ARCHIVE)) throw new UnreadableDocumentError('The archive is empty.');
  if (start.startsWith('\x1f\x8b')) return 'gzip';
  if (isTar(bytes)) return 'tar';
  // Before archives: an old document may end with one that stands in it.
  if (isCompound(bytes)) return oldOffice(bytes);
  if (isOldSheet(bytes)) return 'xls';
  if (isArchiveBehind(bytes)) return archiveKind(bytes);
  const known = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (known !== undefined && !/^text\/|xml|json|yaml|calendar|vcard|pgp|subrip/.test(known.mime))
    throw new UnreadableDocumentError(whatElse(known.mime, known.ext));
  return textKind(bytes, named);
}

/** What an archive ends with, and all that an empty one has. */
const END_OF_ARCHIVE = 'PK\x05\x06';
/** The end has 22 bytes and a comment of up to 65,535. */
const MAX_END = 65_557;

/** Programs that unpack themselves, and downloads with something in front: their first file is told by its offset. */
function isArchiveBehind(bytes: Buffer): boolean {
  const last = bytes.subarray(-MAX_END);
  const place = last.lastIndexOf(Buffer.from(END_OF_ARCHIVE, 'latin1'));
  if (place === -1 || place + 22 > last.length) return false;
  const end = bytes.length - last.length + place;
  const [size, offset] = [bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)];
  const before = end - size - offset;
  return before > 0 && bytes.toString('latin1', before, before + 4) === 'PK\x03\x04';
}

async function archiveKind(bytes: Buffer): Promise<DocumentType> {
  const zip = await openZip(bytes);
  const names = Object.keys(zip.files).map((name) => name.replaceAll('\\', '/'));
  const has = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  if (has(/^word\/.*\.xml$/i)) return 'docx';
  if (has(/^xl\/(?:workbook|worksheets\/.*)\.xml$/i)) return 'xlsx';
  if (has(/^ppt\/(?:presentation|slides\/.*)\.xml$/i)) return 'pptx';
  if (has(/^META-INF\/container\.xml$/)) return 'epub';
  if (has(/^content\.xml$/)) return 'odf';
  if (has(/^xl\/workbook\.bin$/)) return 'xls';
  if (has(/^Index\/.*\.iwa$|^Index\.zip$/))
    throw new UnreadableDocumentError('This is a document of Pages, Numbers or Keynote: export it as PDF.');
  return 'zip';
}

/** A sheet of Excel 2 to 4 is a file of its own, and begins with a record of these kinds and lengths. */
function isOldSheet(bytes: Buffer): boolean {
  const [kind, version, length, none] = bytes;
  return kind === 9 && [0, 2, 4, 8].includes(version ?? -1) && [4, 6, 8, 16].includes(length ?? -1) && none === 0;
}

/** By the names of its parts. */
function oldOffice(bytes: Buffer): DocumentType {
  const { paths } = openCompound(bytes);
  const has = (pattern: RegExp): boolean => paths.some((path) => pattern.test(path));
  if (has(/^EncryptedPackage$/i)) throw new UnreadableDocumentError(PROTECTED);
  if (has(/^WordDocument$/i)) return 'doc';
  if (has(/^(?:Workbook|Book)$/i)) return 'xls';
  if (has(/^PowerPoint Document$/i)) return 'ppt';
  if (has(/^__properties_version1\.0$/i)) return 'msg';
  throw new UnreadableDocumentError('This is a file of an old program: save it as PDF.');
}

function whatElse(mime: string, extension: string): string {
  const [kind] = mime.split('/');
  if (kind === 'image') return `This is a picture (${extension}), and there is no text in it that can be read.`;
  if (kind === 'audio') return `This is a sound file (${extension}), not a document.`;
  if (kind === 'video') return `This is a video (${extension}), not a document.`;
  if (/zip|compressed|tar|rar|7z|xz|bz/.test(mime))
    return `This is an archive (${extension}): unpack it and upload what is in it.`;
  return `This is a file of the type ${extension}, not a document that can be read.`;
}

/** Of 2003, and what programs exchange today. */
const OFFICE_XML = /^<(?:w:wordDocument|pkg:package)\b/;
/** In front of the first element: declarations, comments of the programs that wrote it, and a document type but HTML's. */
const PROLOG = /^(?:\s+|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE\s+(?!html\b)[^>[]*(?:\[[^\]]*\]\s*)?>)*/i;

/** Part of control characters from which on it is no text of any charset. */
const MAX_CONTROLS = 0.02;

/** A larger text is not tried: it is read either way. */
const MAX_TRIED = 8 * 1024 * 1024;

/** An object, or a list of them. */
function isJson(bytes: Buffer): boolean {
  const text = bytes.length > MAX_TRIED ? '' : bytes.toString().trim();
  if (!/^(?:\{\s*"|\[\s*\{)/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const isNotebook = (bytes: Buffer): boolean => bytes.includes('"nbformat"') && bytes.includes('"cell_type"');

function textKind(bytes: Buffer, named: DocumentType): DocumentType {
  const sample = bytes.subarray(0, 65_536);
  let controls = 0;
  for (const byte of sample) if (byte < 0x20 && ![0, 9, 10, 12, 13, 26, 27].includes(byte)) controls += 1;
  if (controls > Math.max(4, sample.length * MAX_CONTROLS))
    throw new UnreadableDocumentError('This is no text, and no document of a known format.');
  const start = asciiStart(sample, 8192);
  const element = start.replace(PROLOG, '');
  if (/^<(!doctype\s+html|html|head|body)\b/i.test(element)) return 'html';
  if (/^<office:document\b/.test(element)) return 'odf';
  if (/^BEGIN:(VCALENDAR|VCARD)\b/i.test(start)) return 'calendar';
  if (isMail(bytes, named === 'mail')) return 'mail';
  if (OFFICE_XML.test(element)) return 'docx';
  if (/^<FictionBook\b/.test(element)) return 'fb2';
  if (start.startsWith('<?xml') && named !== 'html') return 'xml';
  if (named === 'xml' && /^<[a-z_]/i.test(start)) return 'xml';
  if (['xml', 'calendar', 'fb2'].includes(named)) return 'text';
  if ((named === 'text' || named === 'yaml') && isJson(bytes)) return 'json';
  if (named === 'json' && /^\{[^]{0,2000}"cells"/.test(start) && isNotebook(bytes)) return 'notebook';
  // A part of one, as programs write it for others to put together.
  if (named === 'rtf' && /^\{\s*\\[a-z]/.test(start)) return 'rtf';
  if (named === 'csv' && /^<table\b/i.test(start)) return 'html';
  if (!BINARY.has(named) && named !== 'mail') return named;
  // Programs write "Excel files" that are a table of HTML, or values with tabs between.
  if (/^<(table|meta|div)\b/i.test(start)) return 'html';
  return named === 'xlsx' || named === 'xls' ? 'csv' : 'text';
}
