/**
 * Version of the readers of documents. A larger number has all documents read again, in the background: where a reader
 * has learned what makes passages better found. 1: headings, rows below the names of their columns, tables.
 * 2: forms and notes in spreadsheets, subtitles, XML of running text, forwarded messages.
 * 3: addresses behind the words of links. 4: Chinese is found in simplified and traditional characters.
 * 5: cells of PDFs in their order, Arabic PDFs with their blanks, mails with many fields, letterheads of RTF.
 * 6: XHTML behind its empty elements, numbers of JSON and YAML as they are written, parts of any name.
 * 7: styles of Word and OpenDocument, headings of rich text, attached files, charsets of mails, pages without their banners.
 */
export const READER = 7;
