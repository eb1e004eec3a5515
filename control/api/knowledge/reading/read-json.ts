import { decodeText } from './decode-text.ts';
import type { Section } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** Entries up to this many characters stay together; larger ones are divided by their parts. */
const LARGEST_ENTRY = 1500;

/** One section for each entry of a list, wherever the lists are. @throws UnreadableDocumentError when it is no JSON. */
export function* readJson(bytes: Buffer): Generator<Section> {
  const { text } = decodeText(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // Many programs call it JSON when each line is one.
    const lines = [...linesOf(text)];
    if (lines.length < 2 || lines.some((line) => line === null)) {
      yield* entries(parsedWithComments(text, error), []);
      return;
    }
    for (const line of lines) yield* entries(line, []);
    return;
  }
  yield* entries(value, []);
}

/** A text, a comment, or a comma before the end of a list. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/|,(?=\s*[}\]])/g;

/** Settings are JSON with comments, and with a comma after the last value. @throws UnreadableDocumentError */
function parsedWithComments(text: string, error: unknown): unknown {
  // What is left out keeps its lines: a place that is told is the one of the file.
  const without = (from: string): string =>
    from.replaceAll(TOKEN, (found) => (found.startsWith('"') ? found : blank(found)));
  try {
    // A comma may stand before a comment.
    return JSON.parse(without(without(text)));
  } catch {
    throw invalid(error);
  }
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

function invalid(error: unknown): UnreadableDocumentError {
  const place = /\(line \d+ column \d+\)/.exec(String(error))?.[0];
  return new UnreadableDocumentError(`This is no valid JSON${place === undefined ? '' : ` ${place}`}.`);
}

/** One section for each line. */
export function* readJsonLines(bytes: Buffer): Generator<Section> {
  const { text } = decodeText(bytes);
  for (const value of linesOf(text)) if (value !== null) yield* entries(value, []);
}

function* linesOf(text: string): Generator<unknown> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end).trim();
    from = end === -1 ? text.length : end + 1;
    if (line === '') continue;
    try {
      yield JSON.parse(line);
    } catch {
      yield null;
    }
  }
}

/** @param path names of what it stands in. */
export function* entries(value: unknown, path: readonly string[]): Generator<Section> {
  if (Array.isArray(value) && value.some((entry) => typeof entry === 'object')) {
    for (const entry of value) yield* entries(entry, path);
    return;
  }
  const text = linesOfValue(value, '').join('\n');
  const heading = path.join(' › ').slice(0, 300);
  if (!isObject(value) || (text.length <= LARGEST_ENTRY && !holdsList(value))) {
    yield { text, metadata: {}, whole: true, heading };
    return;
  }
  const small = Object.entries(value).filter(([, part]) => !isObject(part) && !isListOfObjects(part));
  if (small.length > 0)
    yield { text: linesOfValue(Object.fromEntries(small), '').join('\n'), metadata: {}, whole: true, heading };
  for (const [name, part] of Object.entries(value))
    if (isObject(part) || isListOfObjects(part)) yield* entries(part, [...path, name]);
}

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
    if (value.every((entry) => typeof entry !== 'object')) return line(value.join(', '));
    return value.flatMap((entry) => linesOfValue(entry, name));
  }
  if (typeof value !== 'object') return line(String(value));
  return Object.entries(value).flatMap(([key, part]) => linesOfValue(part, name === '' ? key : `${name} ${key}`));
}
