import { type Block, sectionsOf } from './blocks.ts';
import { cleanText } from './clean-text.ts';
import { decodeText } from './decode-text.ts';
import { argumentAt, type LatexNames, plainLatex } from './latex-inline.ts';
import type { Section } from './section.ts';

/** LaTeX: title, headings, text, lists and tables, as far as they can be read without running its programs. */
export function* readLatex(bytes: Buffer): Generator<Section> {
  const text = cleanText(decodeText(bytes).text).replaceAll(COMMENT, '');
  const names = new Map(
    [...text.matchAll(OWN_NAME)].map(({ 1: name = '', index, 0: { length } }) => [
      name,
      argumentAt(text, index + length)?.text ?? '',
    ]),
  );
  const begin = text.indexOf(BEGIN);
  const body = begin === -1 ? text : text.slice(begin + BEGIN.length).replace(/\\end\{document\}[^]*$/, '');
  const preamble = begin === -1 ? '' : text.slice(0, begin);
  yield* sectionsOf([...titleOf(preamble + body, names), ...blocksOf(body, names)]);
}

const BEGIN = '\\begin{document}';
/** A sign that is no percentage; a line of nothing else goes as a whole. */
const COMMENT = /^[ \t]*%[^\n]*\n?|(?<!\\)%[^\n]*\n?[ \t]*/gm;
/** Without arguments. */
const OWN_NAME = /\\(?:re)?newcommand\*?\{?\\([A-Za-z]+)\}?(?=\s*\{)|\\def\\([A-Za-z]+)(?=\{)/g;

function* titleOf(text: string, names: LatexNames): Generator<Block> {
  for (const name of ['title', 'author', 'date']) {
    const at = text.search(new RegExp(`\\\\${name}\\b`));
    const words = plainLatex(argumentAt(text, at + name.length + 1)?.text ?? '', names).trim();
    if (at === -1 || words === '') continue;
    yield name === 'title' ? { kind: 'heading', level: 1, text: words } : { kind: 'paragraph', text: words };
  }
}

const LEVELS: Readonly<Record<string, number>> = {
  part: 2,
  chapter: 2,
  section: 3,
  subsection: 4,
  subsubsection: 5,
  paragraph: 6,
  frametitle: 3,
};
/** Where a block begins or ends. */
const MARK = new RegExp(
  [
    String.raw`\\(part|chapter|(?:sub){0,2}section|(?:sub)?paragraph|frametitle)\*?(?=\s*[[{])`,
    String.raw`\\(begin|end)\{([A-Za-z]+)\*?\}`,
    String.raw`\\(item|caption|title|author|date)\b`,
    String.raw`\n[ \t]*\n`,
  ].join('|'),
  'g',
);
const TABLE = /^(?:tabular|tabularx|tabulary|longtable|array|tblr)$/;
const AS_IT_IS = /^(?:verbatim|lstlisting|minted|alltt)$/;
const DRAWN = /^(?:tikzpicture|comment|pgfpicture|filecontents|thebibliography)$/;

function* blocksOf(text: string, names: LatexNames): Generator<Block> {
  /** Of the lists that are open, the number of their last item; 0 where items have none. */
  const lists: (number | null)[] = [];
  let before = '';
  const end = function* (more: string): Generator<Block> {
    const words = before + plainLatex(more, names).trim();
    before = '';
    if (words.trim() !== '') yield { kind: 'paragraph', text: words };
  };
  let from = 0;
  for (let mark = next(text, 0); mark !== null; mark = next(text, from)) {
    yield* end(text.slice(from, mark.index));
    from = mark.index + mark[0].length;
    const [, section, beginOrEnd, environment = '', command] = mark;
    if (section !== undefined || /^(?:caption|title|author|date)$/.test(command ?? '')) {
      const short = argumentAt(text, from, '[');
      const title = argumentAt(text, short?.end ?? from);
      from = title?.end ?? from;
      const words = plainLatex(title?.text ?? '', names).trim();
      if (section !== undefined) yield { kind: 'heading', level: LEVELS[section] ?? 6, text: words };
      else if (command === 'caption') yield { kind: 'paragraph', text: words };
    } else if (command === 'item') {
      const label = argumentAt(text, from, '[');
      const number = lists.at(-1);
      if (typeof number === 'number') lists[lists.length - 1] = number + 1;
      before =
        label !== null ? `- ${plainLatex(label.text, names)}: ` : typeof number === 'number' ? `${number + 1}. ` : '- ';
      from = label?.end ?? from;
    } else if (/^(?:itemize|enumerate|description)$/.test(environment)) {
      if (beginOrEnd === 'begin') lists.push(environment === 'enumerate' ? 0 : null);
      else lists.pop();
      const options = argumentAt(text, from, '[');
      from = options?.end ?? from;
    } else if (
      beginOrEnd === 'begin' &&
      (TABLE.test(environment) || AS_IT_IS.test(environment) || DRAWN.test(environment))
    ) {
      const close = text.indexOf(`\\end{${environment}`, from);
      const inner = text.slice(from, close === -1 ? text.length : close);
      if (TABLE.test(environment)) yield tableIn(inner, environment, names);
      else if (AS_IT_IS.test(environment))
        yield { kind: 'paragraph', text: inner.replace(/^(?:\[[^\]\n]*\])?(?:\{\w+\})?/, '') };
      from = close === -1 ? text.length : text.indexOf('}', close) + 1;
    } else if (beginOrEnd === 'begin') from = argumentAt(text, from, '[')?.end ?? from;
  }
  yield* end(text.slice(from));
}

function next(text: string, from: number): RegExpExecArray | null {
  MARK.lastIndex = from;
  return MARK.exec(text);
}

const RULES = /\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|addlinespace)\b/g;

/** Columns are described before its rows. */
function tableIn(inner: string, environment: string, names: LatexNames): Block {
  let from = 0;
  for (let count = /^tabular[xy]$/.test(environment) ? 2 : 1; count > 0; count -= 1)
    from = argumentAt(inner, argumentAt(inner, from, '[')?.end ?? from)?.end ?? from;
  const lines = inner.slice(from).split(/\\\\(?:\[[^\]\n]*\])?|\\tabularnewline\b/);
  const rows = lines.map((line) =>
    line
      .replaceAll(RULES, '')
      .split(/(?<!\\)&/)
      .map((cell) => plainLatex(cell, names).trim()),
  );
  // A rule between the first row and the second one.
  const hasHeader = /\\(?:hline|midrule|endhead)/.test(lines[1] ?? '') && !/\\hline/.test(lines[2] ?? '') ? true : null;
  return { kind: 'table', rows: rows.filter((row) => row.some((cell) => cell !== '')), hasHeader };
}
