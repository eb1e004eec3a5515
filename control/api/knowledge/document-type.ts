/** Kinds of documents that can be read. */
export type DocumentType =
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odf'
  | 'epub'
  | 'rtf'
  | 'html'
  | 'mail'
  | 'text'
  | 'markdown'
  | 'csv'
  | 'json'
  | 'jsonl'
  | 'log';

/** Old formats are here as well: what is inside decides, and often it is another one of this list. */
const EXTENSIONS: Readonly<Record<DocumentType, string>> = {
  pdf: 'pdf',
  docx: 'docx docm dotx doc',
  xlsx: 'xlsx xlsm xltx xls',
  pptx: 'pptx pptm ppsx ppt',
  odf: 'odt ods odp ott fodt fods fodp',
  epub: 'epub',
  rtf: 'rtf',
  html: 'html htm xhtml',
  mail: 'eml mht mhtml',
  text: 'txt text rst adoc org tex srt vtt yaml yml xml ini',
  markdown: 'md markdown mdx',
  csv: 'csv tsv tab',
  json: 'json',
  jsonl: 'jsonl ndjson',
  log: 'log',
};

const CONTENT_TYPES: Readonly<Record<DocumentType, readonly string[]>> = {
  pdf: ['application/pdf'],
  docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'application/msword'],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'application/vnd.ms-excel'],
  pptx: ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'application/vnd.ms-powerpoint'],
  odf: [
    'application/vnd.oasis.opendocument.text',
    'application/vnd.oasis.opendocument.spreadsheet',
    'application/vnd.oasis.opendocument.presentation',
  ],
  epub: ['application/epub+zip'],
  rtf: ['application/rtf', 'text/rtf'],
  html: ['text/html', 'application/xhtml+xml'],
  mail: ['message/rfc822'],
  text: ['text/plain', 'application/xml', 'text/xml', 'application/yaml'],
  markdown: ['text/markdown', 'text/x-markdown'],
  csv: ['text/csv', 'application/csv', 'text/tab-separated-values'],
  json: ['application/json'],
  jsonl: ['application/jsonl', 'application/x-ndjson', 'application/x-jsonlines'],
  log: [],
};

const entries = Object.entries as <V>(of: Readonly<Record<DocumentType, V>>) => [DocumentType, V][];
const BY_EXTENSION = new Map(
  entries(EXTENSIONS).flatMap(([type, all]) => all.split(' ').map((extension) => [extension, type] as const)),
);
const BY_CONTENT_TYPE = new Map(
  entries(CONTENT_TYPES).flatMap(([type, all]) => all.map((contentType) => [contentType, type] as const)),
);

/** What the API document says of a name and a content type, of which one has to be known. */
export const DOCUMENT_PATTERN = String.raw`^[^/\\\s][^/\\]*\.(?:${[...BY_EXTENSION.keys()].join('|')})$`;
export const DOCUMENT_CONTENT_TYPES: readonly string[] = [...BY_CONTENT_TYPE.keys()];

/**
 * What a document claims to be: its name first, because browsers send vague content types. Its content has the last
 * word, when it is read (`reading/content-kind.ts`).
 */
export function documentType(filename: string, contentType: string): DocumentType | null {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase();
  const named = extension === undefined ? undefined : BY_EXTENSION.get(extension);
  return named ?? BY_CONTENT_TYPE.get(contentType.split(';')[0]!.trim().toLowerCase()) ?? null;
}

export const SUPPORTED_DOCUMENTS =
  'PDF, Word (DOCX), Excel (XLSX), PowerPoint (PPTX), OpenDocument (ODT, ODS, ODP), EPUB, RTF, HTML, e-mail (EML, MHTML), Markdown, text, CSV, TSV, JSON, JSONL and LOG';
