import type { DocumentType } from '../document-type.ts';
import type { Reader, Section, Within } from './section.ts';

/** Who reads documents of a type. Loading some of them takes most of a second, which other documents avoid. */
export const readerOf = (type: DocumentType): Promise<Reader> => READERS[type]();

const READERS: Readonly<Record<DocumentType, () => Promise<Reader>>> = {
  pdf: async () => (await import('./read-pdf.ts')).readPdf,
  docx: async () => (await import('./read-docx.ts')).readDocx,
  doc: async () => (await import('./read-doc.ts')).readDoc,
  xlsx: async () => (await import('./read-xlsx.ts')).readXlsx,
  xls: async () => (await import('./read-xls.ts')).readXls,
  pptx: async () => (await import('./read-pptx.ts')).readPptx,
  ppt: async () => (await import('./read-ppt.ts')).readPpt,
  odf: async () => (await import('./read-odf.ts')).readOdf,
  epub: async () => (await import('./read-epub.ts')).readEpub,
  fb2: async () => (await import('./read-fb2.ts')).readFb2,
  zip: async () => containerReader((await import('./read-zip.ts')).readZip),
  tar: async () => containerReader((await import('./read-tar.ts')).readTar),
  gzip: async () => containerReader((await import('./read-tar.ts')).readGzip),
  rtf: async () => (await import('./read-rtf.ts')).readRtf,
  mail: async () => containerReader((await import('./read-mail.ts')).readMail),
  msg: async () => containerReader((await import('./read-msg.ts')).readMsg),
  html: async () => (await import('./read-html.ts')).readHtml,
  xml: async () => (await import('./read-xml.ts')).readXml,
  calendar: async () => (await import('./read-calendar.ts')).readCalendar,
  csv: async () => (await import('./read-csv.ts')).readCsv,
  markdown: async () => (await import('./read-markdown.ts')).readMarkdown,
  asciidoc: async () => (await import('./read-asciidoc.ts')).readAsciidoc,
  notebook: async () => (await import('./read-notebook.ts')).readNotebook,
  yaml: async () => (await import('./read-yaml.ts')).readYaml,
  wiki: async () => (await import('./read-wiki.ts')).readWiki,
  org: async () => (await import('./read-org.ts')).readOrg,
  rst: async () => (await import('./read-rst.ts')).readRst,
  latex: async () => (await import('./read-latex.ts')).readLatex,
  json: async () => (await import('./read-json.ts')).readJson,
  jsonl: async () => (await import('./read-json.ts')).readJsonLines,
  log: async () => (await import('./read-text.ts')).readLog,
  text: async () => (await import('./read-text.ts')).readText,
};

/** Of documents that have others within them. */
async function containerReader(read: (bytes: Buffer, within: Within) => AsyncIterable<Section>): Promise<Reader> {
  const { documentsWithin } = await import('./documents-within.ts');
  return (bytes, within = documentsWithin(readerOf)) => read(bytes, within);
}
