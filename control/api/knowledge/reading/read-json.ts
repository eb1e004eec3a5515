import { jsonrepair } from 'jsonrepair';
import { endOfJson } from '../../../../runtime/end-of-json.ts';
import { decodeText } from './decode-text.ts';
import { withoutMarkup } from './html-values.ts';
import { withoutAround } from './json-around.ts';
import { readRows } from './read-rows.ts';
import { NOTHING, type Section } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** Entries up to this many characters stay together; larger ones are divided by their parts. */
const MAX_ENTRY_SIZE = 1500;

/** Larger ones are not repaired: it takes several times their size in memory. */
const MAX_REPAIRED = 8 * 1024 * 1024;

/** One section for each entry of a list, wherever the lists are. @throws UnreadableDocumentError when it is no JSON. */
export function* readJson(bytes: Buffer): Generator<Section> {
  const text = withoutAround(decodeText(bytes).text);
  let problem: unknown;
  try {
    yield* entries(exactly(text), []);
    return;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    problem = error;
  }
  // Many programs call it JSON when each line is one, or one value follows the other.
  let values = valuesIn(text) ?? [...linesOf(text)];
  if (values.includes(undefined)) values = [repaired(text)];
  if (values.includes(undefined)) throw invalid(problem);
  for (const value of values) yield* entries(value, []);
}

/** A text, a comment, a comma before the end of a list, or a number that Python writes. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/|,(?=\s*[}\]])|-?\b(?:NaN|Infinity)\b/g;

/** Settings are JSON with comments, and with a comma after the last value. @returns undefined where it is no JSON. */
function parsedLeniently(text: string): unknown {
  // What is left out keeps its lines: a place that is told is the one of the file.
  const without = (from: string): string =>
    from.replaceAll(TOKEN, (found) =>
      found.startsWith('"') ? found : /N|I/.test(found.slice(0, 2)) ? 'null' : blank(found),
    );
  try {
    // A comma may stand before a comment.
    return exactly(without(without(text)));
  } catch {
    return undefined;
  }
}

/** As programs write it by hand: 'single' marks, names without marks, a line break within a text. Not what is cut off. */
function repaired(text: string): unknown {
  const plain = text.trim();
  if (!/^[[{]/.test(plain) || plain.length > MAX_REPAIRED || endOfJson(plain, 0) !== plain.length) return undefined;
  try {
    return exactly(jsonrepair(plain));
  } catch {
    return undefined;
  }
}

/** Numbers stay as they are written: those of accounts have more digits than JavaScript knows, and "1.10" is a price. */
function exactly(text: string): unknown {
  if (!/\d{16}|\.\d*0\b/.test(text)) return JSON.parse(text);
  const exact = (_name: string, value: unknown, { source }: { source?: string }): unknown =>
    typeof value === 'number' && source !== undefined && /^-?\d/.test(source) && !/[eE]/.test(source) ? source : value;
  return JSON.parse(text, exact as (this: unknown, key: string, value: unknown) => unknown);
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

function invalid(error: unknown): UnreadableDocumentError {
  const place = /\(line \d+ column \d+\)/.exec(String(error))?.[0];
  return new UnreadableDocumentError(`This is no valid JSON${place === undefined ? '' : ` ${place}`}.`);
}

/** One section for each line, or for each value where those have several lines. */
export function* readJsonLines(bytes: Buffer): Generator<Section> {
  const { text } = decodeText(bytes);
  const bad: number[] = [];
  let count = 0;
  const isByLine = linesOf(text).next().value !== undefined;
  for (const value of (isByLine ? null : valuesIn(text)) ?? linesOf(text)) {
    count += 1;
    if (value === undefined) bad.push(count);
    else yield* entries(value, []);
  }
  if (bad.length > 0) yield { ...NOTHING, note: leftOut(bad, count) };
}

const leftOut = (bad: readonly number[], all: number): string =>
  bad.length === all
    ? 'None of its lines is valid JSON.'
    : `Of its ${all} lines, ${bad.length} ${bad.length === 1 ? 'is' : 'are'} no valid JSON and left out; the first is number ${bad[0]}.`;

function* linesOf(text: string): Generator<unknown> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end).trim();
    from = end === -1 ? text.length : end + 1;
    if (line !== '') yield parsedLeniently(line);
  }
}

/** Between values: blanks, commas, and the mark of JSON text sequences (RFC 7464). */
const BETWEEN = /[\s,\p{Cc}]*/uy;

/** Objects and lists, one behind the other. @returns null where anything else is there, or nothing. */
function valuesIn(text: string): unknown[] | null {
  const values: unknown[] = [];
  for (let from = 0; ;) {
    BETWEEN.lastIndex = from;
    from += BETWEEN.exec(text)![0].length;
    if (from === text.length) return values.length === 0 ? null : values;
    const end = /[{[]/.test(text[from]!) ? endOfJson(text, from) : -1;
    const value = end === -1 ? undefined : parsedLeniently(text.slice(from, end));
    if (value === undefined) return null;
    values.push(value);
    from = end;
  }
}

/** @param path names of what it stands in. */
export function* entries(value: unknown, path: readonly string[]): Generator<Section> {
  if (isTable(value))
    return yield* readRows(
      value.map((row) => row.map(textOfScalar)),
      path.join(' › '),
    );
  if (Array.isArray(value) && value.some((entry) => typeof entry === 'object')) {
    for (const entry of value) yield* entries(entry, path);
    return;
  }
  const text = linesOfValue(value, '').join('\n');
  const heading = path.join(' › ').slice(0, 300);
  if (!isObject(value) || (text.length <= MAX_ENTRY_SIZE && !holdsList(value))) {
    yield { text, metadata: {}, whole: true, heading };
    return;
  }
  const small = Object.entries(value).filter(([, part]) => !isObject(part) && !isListOfObjects(part));
  if (small.length > 0)
    yield { text: linesOfValue(Object.fromEntries(small), '').join('\n'), metadata: {}, whole: true, heading };
  for (const [name, part] of Object.entries(value))
    if (isObject(part) || isListOfObjects(part)) yield* entries(part, [...path, name]);
}

/** Lists of values, as rows of a spreadsheet. */
const isTable = (value: unknown): value is unknown[][] =>
  Array.isArray(value) &&
  value.length > 1 &&
  value.every(
    (row) => Array.isArray(row) && row.length > 1 && row.every((cell) => typeof cell !== 'object' || cell === null),
  );
const textOfScalar = (value: unknown): string => (value === null ? '' : String(value));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOfObjects = (value: unknown): boolean =>
  Array.isArray(value) && value.some((entry) => typeof entry === 'object');
/** A list of more than a few is a table. */
const holdsList = (value: Record<string, unknown>): boolean =>
  Object.values(value).some((part) => isListOfObjects(part) && (part as unknown[]).length > 3);

/** "address city: Berlin", one line for each value. */
function linesOfValue(value: unknown, name: string): string[] {
  const line = (text: string): string[] => [name === '' ? text : `${name}: ${text}`];
  if (value === null || value === undefined) return name === '' ? [] : line('');
  if (Array.isArray(value)) {
    // Sentences end by themselves.
    if (value.every((entry) => typeof entry !== 'object'))
      return line(
        value
          .map((entry) => withoutMarkup(String(entry)))
          .join(value.some((entry) => /[.!?]$/.test(String(entry))) ? ' ' : ', '),
      );
    return value.flatMap((entry) => linesOfValue(entry, name));
  }
  if (typeof value !== 'object') return line(withoutMarkup(String(value)).trim());
  return Object.entries(value).flatMap(([key, part]) => linesOfValue(part, name === '' ? key : `${name} ${key}`));
}
