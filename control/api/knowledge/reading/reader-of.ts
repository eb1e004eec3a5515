import type { DocumentType } from '../document-type.ts';
import type { Reader, Section, Within } from './section.ts';

/** Who reads documents of a type. Loading some of them takes most of a second, which other documents avoid. */
export async function readerOf(type: DocumentType): Promise<Reader> {
  switch (type) {
    case 'pdf':
      return (await import('./read-pdf.ts')).readPdf;
    case 'docx':
      return (await import('./read-docx.ts')).readDocx;
    case 'xlsx':
      return (await import('./read-xlsx.ts')).readXlsx;
    case 'pptx':
      return (await import('./read-pptx.ts')).readPptx;
    case 'odf':
      return (await import('./read-odf.ts')).readOdf;
    case 'epub':
      return (await import('./read-epub.ts')).readEpub;
    case 'fb2':
      return (await import('./read-fb2.ts')).readFb2;
    case 'zip':
      return containerReader((await import('./read-zip.ts')).readZip);
    case 'rtf':
      return (await import('./read-rtf.ts')).readRtf;
    case 'mail':
      return containerReader((await import('./read-mail.ts')).readMail);
    case 'html':
      return (await import('./read-html.ts')).readHtml;
    case 'xml':
      return (await import('./read-xml.ts')).readXml;
    case 'calendar':
      return (await import('./read-calendar.ts')).readCalendar;
    case 'csv':
      return (await import('./read-csv.ts')).readCsv;
    case 'markdown':
      return (await import('./read-markdown.ts')).readMarkdown;
    case 'asciidoc':
      return (await import('./read-asciidoc.ts')).readAsciidoc;
    case 'notebook':
      return (await import('./read-notebook.ts')).readNotebook;
    case 'yaml':
      return (await import('./read-yaml.ts')).readYaml;
    case 'wiki':
      return (await import('./read-wiki.ts')).readWiki;
    case 'org':
      return (await import('./read-org.ts')).readOrg;
    case 'rst':
      return (await import('./read-rst.ts')).readRst;
    case 'latex':
      return (await import('./read-latex.ts')).readLatex;
    case 'json':
      return (await import('./read-json.ts')).readJson;
    case 'jsonl':
      return (await import('./read-json.ts')).readJsonLines;
    case 'log':
      return (await import('./read-text.ts')).readLog;
    case 'text':
      return (await import('./read-text.ts')).readText;
  }
}

/** Of documents that have others within them. */
async function containerReader(read: (bytes: Buffer, within: Within) => AsyncIterable<Section>): Promise<Reader> {
  const { documentsWithin } = await import('./documents-within.ts');
  return (bytes, within = documentsWithin(readerOf)) => read(bytes, within);
}
