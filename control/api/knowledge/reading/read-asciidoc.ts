import { convert } from '@asciidoctor/core';
import { decodeText } from './decode-text.ts';
import { sectionsOf } from './blocks.ts';
import { htmlBlocks } from './read-html.ts';
import type { Section } from './section.ts';

/** Its title is read; not read are a table of contents, and the numbers that are put before titles of tables. */
const ATTRIBUTES = { showtitle: '', toc: null, 'table-caption': null, 'figure-caption': null, 'example-caption': null };

/** AsciiDoc, as its own program shows it, which reads no other file: `secure`. */
export async function* readAsciidoc(bytes: Buffer): AsyncGenerator<Section> {
  const text = decodeText(bytes).text.replaceAll(INCLUDED, '').replaceAll(FOOTNOTE, ' ($1)');
  const html = String(await convert(text, { safe: 'secure', attributes: ATTRIBUTES }));
  yield* sectionsOf(htmlBlocks(html.replaceAll(NOTE, '<div><p>$1: ')));
}

/** Other files. */
const INCLUDED = /^include::[^\n]*$/gm;
/** Belongs where it is named, and would stand at the end. */
const FOOTNOTE = /\bfootnote:[\w-]*\[([^\]\n]+)\]/g;
/** A note is a table of two cells there. It is read as a sentence: "Note: On Sundays until eleven." */
const NOTE = new RegExp(
  String.raw`<table>\s*<tr>\s*<td class="icon">\s*<div class="title">([^<]*)<\/div>\s*<\/td>\s*` +
    String.raw`<td class="content">\s*(?:<div class="paragraph">\s*<p>)?`,
  'g',
);
