import { parse } from 'csv-parse/sync';
import { type Block, sectionsOf } from './blocks.ts';
import { cleanText } from './clean-text.ts';
import { decodeText } from './decode-text.ts';
import { namesIn, plainRst, type RstNames } from './rst-inline.ts';
import { beginsTable, tableIn } from './rst-tables.ts';
import type { Section } from './section.ts';

/** reStructuredText, which Python is documented in. */
export function* readRst(bytes: Buffer): Generator<Section> {
  const { lines, ...names } = namesIn(cleanText(decodeText(bytes).text).replaceAll('\t', '        ').split(/\r?\n/));
  yield* sectionsOf(blocksOf(lines, { names, styles: [] }));
}

interface Reading {
  readonly names: RstNames;
  /** Signs under headings, in the order in which they came: that is their level. */
  readonly styles: string[];
}

/** A line of one sign, under a heading or above and under it, or between parts. */
const RULE = /^([!-/:-@[-`{-~])\1+$/;
const DIRECTIVE = /^\.\. (?:\|[^|\n]+\| )?([\w:.+-]+)::[ \t]*(.*)$/;
const OPTION = /^:[\w -]+:(?: .*)?$/;
/** For the program that makes pages of it. */
const UNSEEN = new Set(
  `toctree contents include index meta raw highlight default-role role sectnum automodule currentmodule
  module only tabularcolumns replace class rst-class literalinclude image plot sectionauthor codeauthor`.split(/\s+/),
);
const isUnseen = (name: string): boolean => UNSEEN.has(name) || /^auto\w+$/.test(name);
const NOTES = /^(?:note|warning|tip|important|caution|danger|attention|error|hint|seealso|todo)$/;
const CODE = /^(?:code|code-block|sourcecode|parsed-literal|math|prompt|doctest)$/;

function* blocksOf(lines: readonly string[], reading: Reading): Generator<Block> {
  let paragraph: string[] = [];
  const end = function* (): Generator<Block> {
    const text = paragraph.join('\n');
    paragraph = [];
    if (text !== '') yield { kind: 'paragraph', text: plainRst(text.replace(/[ \t]*::$/, isBare), reading.names) };
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!.trimEnd();
    const heading = headingAt(lines, at, paragraph.length > 0);
    if (line === '') yield* end();
    else if (heading !== null) {
      yield* end();
      if (heading.text !== '') yield headingOf(heading, reading);
      at += heading.lines - 1;
    } else if (/^\.\.(?: |$)/.test(line)) {
      yield* end();
      const body = bodyAt(lines, at + 1);
      yield* directive(line, body, reading);
      at += body.length;
    } else if (paragraph.length === 0 && beginsTable(line)) {
      const table = tableAt(lines, at);
      const { rows, hasHeader } = tableIn(table);
      yield { kind: 'table', rows: rows.map((row) => row.map((cell) => plainRst(cell, reading.names))), hasHeader };
      at += table.length - 1;
    } else paragraph.push(line.replace(/^( *):([^:`\n]{1,60}):(?= )/, '$1$2:').replace(/^( *)\| ?/, '$1'));
  }
  yield* end();
}

/** "As follows::" announces what is shown as it stands. */
const isBare = (_: string, offset: number): string => (offset === 0 ? '' : ':');

function headingAt(lines: readonly string[], at: number, isWithin: boolean) {
  const [line, next, after] = [0, 1, 2].map((more) => lines[at + more]?.trimEnd() ?? '') as [string, string, string];
  if (isWithin) return null;
  const above = RULE.exec(line)?.[1];
  if (above !== undefined && next !== '' && after === line)
    return { text: next.trim(), style: above + above, lines: 3 };
  if (above !== undefined && next === '' && line.length >= 4) return { text: '', style: '', lines: 1 };
  const below = RULE.exec(next)?.[1];
  const isTitle = below !== undefined && above === undefined && !/^\s/.test(line) && line !== '';
  return isTitle && next.length >= Math.min(line.length, 4) ? { text: line, style: below, lines: 2 } : null;
}

function headingOf({ text, style }: { text: string; style: string }, { names, styles }: Reading): Block {
  if (!styles.includes(style)) styles.push(style);
  return { kind: 'heading', level: styles.indexOf(style) + 1, text: plainRst(text, names) };
}

/** What stands further to the right, and empty lines among it. */
function bodyAt(lines: readonly string[], from: number): string[] {
  let end = from;
  for (let at = from; at < lines.length && /^(?:\s|$)/.test(lines[at]!); at += 1)
    if (lines[at]!.trim() !== '') end = at + 1;
  return lines.slice(from, end);
}

/** A simple table ends with a rule above an empty line. */
function tableAt(lines: readonly string[], from: number): string[] {
  const isGrid = lines[from]!.trim().startsWith('+');
  const isLast = (at: number): boolean => beginsTable(lines[at]!) && (lines[at + 1] ?? '').trim() === '';
  let end = from + 1;
  if (isGrid) while (/^\s*[+|]/.test(lines[end] ?? '')) end += 1;
  else while (end < lines.length && !isLast(end - 1)) end += 1;
  return lines.slice(from, end);
}

const dedented = (lines: readonly string[]): string[] => {
  const depth = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(depth));
};

function* directive(line: string, indented: readonly string[], reading: Reading): Generator<Block> {
  const [, name = '', argument = ''] = DIRECTIVE.exec(line) ?? [];
  if (name === '' || isUnseen(name)) return;
  const lines = dedented(indented);
  const options = lines.findIndex((one) => !OPTION.test(one));
  const body = options === -1 ? [] : lines.slice(options);
  const say = (text: string): Block => ({ kind: 'paragraph', text: plainRst(text, reading.names) });
  if (CODE.test(name)) yield { kind: 'paragraph', text: [name === 'math' ? argument : '', ...body].join('\n').trim() };
  else if (name === 'list-table' || name === 'csv-table') {
    if (argument !== '') yield say(argument);
    const rows = name === 'csv-table' ? csvRows(body.join('\n')) : listRows(body);
    const header = lines.find((one) => one.startsWith(':header:'))?.slice(9);
    const all = header === undefined ? rows : [...csvRows(header), ...rows];
    yield {
      kind: 'table',
      rows: all.map((row) => row.map((cell) => plainRst(cell, reading.names))),
      hasHeader: header !== undefined || lines.some((one) => /^:header-rows: [1-9]/.test(one)),
    };
  } else if (NOTES.test(name)) {
    const label = name === 'seealso' ? 'See also' : name[0]!.toUpperCase() + name.slice(1);
    yield* blocksOf(`${label}: ${[argument, ...body].join('\n').trim()}`.split('\n'), reading);
  } else {
    const isPicture = name === 'figure';
    const version = /^(?:versionadded|versionchanged|deprecated)$/.test(name)
      ? `${name.replace('version', 'version ')} `
      : '';
    yield* blocksOf([isPicture ? '' : version + argument, '', ...body], reading);
  }
}

const csvRows = (text: string): string[][] =>
  parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true, trim: true });

/** Items of items: `* - Room` and `  - Price` are a row. */
function listRows(lines: readonly string[]): string[][] {
  const rows: string[][] = [];
  for (const line of lines) {
    const [, begins, cell] = /^([*-] | {2,4})- ?(.*)$/.exec(line) ?? [];
    if (begins?.trim()) rows.push([cell!]);
    else if (begins !== undefined) rows.at(-1)?.push(cell!);
    else if (line.trim() !== '' && rows.length > 0) {
      const row = rows.at(-1)!;
      row[row.length - 1] = `${row.at(-1)!} ${line.trim()}`.trim();
    }
  }
  return rows;
}
