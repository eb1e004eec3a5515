/** Kinds of documents that can be read. */
export type DocumentType = 'pdf' | 'text' | 'markdown' | 'docx' | 'csv' | 'json' | 'log';

const BY_EXTENSION: Readonly<Record<string, DocumentType>> = {
  pdf: 'pdf',
  txt: 'text',
  text: 'text',
  md: 'markdown',
  markdown: 'markdown',
  docx: 'docx',
  csv: 'csv',
  json: 'json',
  log: 'log',
};

const BY_CONTENT_TYPE: Readonly<Record<string, DocumentType>> = {
  'application/pdf': 'pdf',
  'text/plain': 'text',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'application/json': 'json',
};

/** The name decides, because browsers send vague content types; without a known extension the content type does. */
export function documentType(filename: string, contentType: string): DocumentType | null {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase();
  if (extension !== undefined && extension in BY_EXTENSION) return BY_EXTENSION[extension]!;
  return BY_CONTENT_TYPE[contentType.split(';')[0]!.trim().toLowerCase()] ?? null;
}

export const SUPPORTED_DOCUMENTS = 'PDF, DOCX, Markdown, text, CSV, JSON and LOG';
