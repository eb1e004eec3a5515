/** Kinds of documents that can be read. */
export type DocumentType =
  | 'pdf'
  | 'docx'
  | 'doc'
  | 'xlsx'
  | 'xls'
  | 'pptx'
  | 'ppt'
  | 'odf'
  | 'epub'
  | 'fb2'
  | 'zip'
  | 'tar'
  | 'gzip'
  | 'rtf'
  | 'html'
  | 'mail'
  | 'msg'
  | 'xml'
  | 'calendar'
  | 'text'
  | 'wiki'
  | 'markdown'
  | 'asciidoc'
  | 'notebook'
  | 'yaml'
  | 'org'
  | 'rst'
  | 'latex'
  | 'csv'
  | 'json'
  | 'jsonl'
  | 'log';

/** What is inside decides: often it is another one of this list. */
const EXTENSIONS: Readonly<Record<DocumentType, string>> = {
  pdf: 'pdf',
  docx: 'docx docm dotx dotm',
  doc: 'doc dot',
  xlsx: 'xlsx xlsm xltx xltm',
  xls: 'xls xlt xlsb',
  pptx: 'pptx pptm ppsx ppsm potx potm',
  ppt: 'ppt pps pot',
  odf: 'odt ods odp ott ots otp fodt fods fodp',
  epub: 'epub',
  fb2: 'fb2',
  zip: 'zip',
  tar: 'tar',
  gzip: 'gz tgz',
  rtf: 'rtf',
  html: 'html htm xhtml',
  mail: 'eml emlx mbox mht mhtml',
  msg: 'msg oft',
  xml: 'xml rss atom opml enex ttml dfxp srv1 srv2 srv3 kml gpx plist',
  calendar: 'ics ical vcf vcard',
  text: 'txt text srt vtt sbv ass ssa smi sami lrc sub toml ini conf cfg properties',
  wiki: 'wiki mediawiki',
  markdown: 'md markdown mdown mkd mdx qmd rmd',
  asciidoc: 'adoc asciidoc',
  notebook: 'ipynb',
  yaml: 'yaml yml',
  org: 'org',
  rst: 'rst rest',
  latex: 'tex latex ltx',
  csv: 'csv tsv tab',
  json: 'json json5 jsonc jsonld geojson',
  jsonl: 'jsonl ndjson',
  log: 'log',
};

const CONTENT_TYPES: Readonly<Record<DocumentType, readonly string[]>> = {
  pdf: ['application/pdf'],
  docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  doc: ['application/msword'],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  xls: ['application/vnd.ms-excel', 'application/vnd.ms-excel.sheet.binary.macroenabled.12'],
  pptx: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ppt: ['application/vnd.ms-powerpoint'],
  odf: [
    'application/vnd.oasis.opendocument.text',
    'application/vnd.oasis.opendocument.spreadsheet',
    'application/vnd.oasis.opendocument.presentation',
  ],
  epub: ['application/epub+zip'],
  fb2: ['application/x-fictionbook+xml'],
  zip: ['application/zip', 'application/x-zip-compressed'],
  tar: ['application/x-tar'],
  gzip: ['application/gzip', 'application/x-gzip'],
  rtf: ['application/rtf', 'text/rtf'],
  html: ['text/html', 'application/xhtml+xml'],
  mail: ['message/rfc822', 'application/mbox'],
  msg: ['application/vnd.ms-outlook'],
  xml: ['application/xml', 'text/xml', 'application/rss+xml', 'application/atom+xml'],
  calendar: ['text/calendar', 'text/vcard', 'text/x-vcard'],
  text: ['text/plain', 'application/toml'],
  wiki: ['text/x-wiki'],
  markdown: ['text/markdown', 'text/x-markdown'],
  asciidoc: ['text/asciidoc'],
  notebook: ['application/x-ipynb+json'],
  yaml: ['application/yaml', 'application/x-yaml', 'text/yaml'],
  org: ['text/x-org'],
  rst: ['text/x-rst'],
  latex: ['application/x-tex', 'text/x-tex', 'application/x-latex'],
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

/** What people also have, and what to do with it. */
const OTHERS: readonly (readonly [extensions: string, sentence: string])[] = [
  ['pages numbers key', 'is a document of Pages, Numbers or Keynote: export it as PDF or to an Office format'],
  ['rar 7z bz2 tbz2 xz txz', 'is an archive of files: unpack it and upload what is in it'],
  [
    'png jpg jpeg gif webp heic heif tif tiff bmp svg psd',
    'is a picture, and text in pictures is not read: save the text as a document',
  ],
  ['mp3 wav m4a ogg flac aac opus wma', 'is a sound file: upload what is said in it as text'],
  ['mp4 mov avi mkv webm wmv', 'is a video: upload what is said in it as text'],
  ['gdoc gsheet gslides', 'is only a link to a document of Google: download it there as DOCX, XLSX or PDF'],
  ['webarchive', 'is a page that Safari has saved: print it as PDF, or save it as HTML'],
  ['url webloc lnk', 'is only a link: save the page or the document that it leads to'],
  ['mobi azw azw3 kfx', 'is a book for Kindle: convert it to EPUB'],
  ['pst ost', 'is a mailbox of Outlook: save its messages as MSG or EML'],
  ['wps wpd hwp hwpx pub vsd vsdx one xps oxps djvu', 'is a format that few programs read: save it as PDF or DOCX'],
  ['sqlite db mdb accdb sql', 'is a database: export its tables as CSV'],
  ['exe dmg msi apk app bin iso', 'is a program, not a document'],
];
const SENTENCES = new Map(
  OTHERS.flatMap(([all, sentence]) => all.split(' ').map((extension) => [extension, sentence] as const)),
);

/** Why a file is refused by its name, in words that say what to do. */
export function refusedDocument(filename: string): string {
  const sentence = SENTENCES.get(/\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '');
  return sentence ?? `must be one of ${SUPPORTED_DOCUMENTS}`;
}

export const SUPPORTED_DOCUMENTS =
  'PDF, Word (DOCX, DOC), Excel (XLSX, XLS, XLSB), PowerPoint (PPTX, PPT), OpenDocument (ODT, ODS, ODP), EPUB, FB2, ' +
  'RTF, HTML, e-mail (EML, MSG, MHTML), calendars (ICS), address books (VCF), XML, Markdown, AsciiDoc, ' +
  'reStructuredText, Org, MediaWiki, LaTeX, ' +
  'Jupyter (IPYNB), text, CSV, TSV, JSON, JSONL, YAML, LOG and archives of those (ZIP, TAR, GZ)';
