/** A value that no well-meaning client sends, as JSON text: some of them exist only there. */
export interface HostileValue {
  readonly name: string;
  readonly json: string;
}

/** Bytes: as much as fits into the largest body beside the rest of it. */
const FULL_SIZE = 1_000_000;

/** Texts that are short enough for an address or a field of a form. */
export const SHORT_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202eabc',
  '\ufeff',
  'a\r\nset-cookie: a=b',
  '%',
  '%00',
  '%E0%A4',
  '..',
  '../../etc/passwd',
  '*',
  "'; drop table x",
  '"',
  '\\',
  '__proto__',
  'constructor',
  'toString',
  '[object Object]',
  'null',
  'NaN',
  '-1',
  '-0',
  '1e400',
  '9'.repeat(400),
  '0x10',
  'true',
  '{"a":1}',
  '[]',
  'a'.repeat(8_000),
  '😀'.repeat(500),
  `e${'\u0301'.repeat(1_000)}`,
  'http://127.0.0.1',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '2026-13-45T99:99:99Z',
  '{{1+1}}',
  '<script>',
];

const text = (value: string): string => JSON.stringify(value);
const full = (unit: string): string => text(unit.repeat(Math.floor(FULL_SIZE / Buffer.byteLength(unit))));
const list = (item: string): string =>
  `[${Array.from({ length: Math.floor(FULL_SIZE / (item.length + 1)) }, () => item).join(',')}]`;
const nested = (levels: number, open: string, close: string): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

const HOSTILE_VALUES: readonly HostileValue[] = [
  { name: 'objects 5,000 levels deep', json: nested(5_000, '{"a":', '}') },
  { name: 'objects as deep as they fit', json: nested(FULL_SIZE / 6, '{"a":', '}') },
  { name: 'arrays as deep as they fit', json: nested(FULL_SIZE / 2, '[', ']') },
  { name: 'a text of one letter', json: full('a') },
  { name: 'blanks', json: full(' ') },
  { name: 'line ends', json: full('\n').slice(0, FULL_SIZE / 2) + '"' },
  { name: 'digits', json: full('9') },
  { name: 'a host of many names', json: text(`https://${'a.'.repeat(FULL_SIZE / 2)}`) },
  { name: 'an address of many slashes', json: text(`https://a/${'/'.repeat(FULL_SIZE)}`) },
  { name: 'dashes', json: full('-a') },
  { name: 'open brackets in a text', json: full('[({') },
  { name: 'letters of four bytes', json: full('😀') },
  { name: 'one letter with many accents', json: text(`e${'\u0301'.repeat(FULL_SIZE / 2)}`) },
  { name: 'a lone high surrogate', json: '"\\ud800"' },
  { name: 'a lone low surrogate', json: '"x\\udfff"' },
  { name: 'U+0000', json: '"a\\u0000b"' },
  { name: 'text from right to left', json: text('\u202eabc\u202c\u200f\u2067') },
  { name: 'letters of no width', json: text('\ufeff\u200b\u2060') },
  { name: 'line ends of a header', json: text('a\r\nset-cookie: a=b') },
  { name: 'a number beyond all', json: '1e400' },
  { name: 'the largest number', json: '1.7976931348623157e308' },
  { name: 'a number that is not exact', json: '9007199254740993' },
  { name: 'minus zero', json: '-0' },
  { name: 'the smallest number', json: '5e-324' },
  { name: 'a number of many digits', json: '9'.repeat(10_000) },
  { name: 'a prototype', json: '{"__proto__":{"polluted":1}}' },
  { name: 'the prototype of a constructor', json: '{"constructor":{"prototype":{"polluted":1}}}' },
  {
    name: 'methods of every object',
    json: '{"toString":1,"hasOwnProperty":2,"valueOf":3,"toJSON":4,"then":5,"length":-1}',
  },
  { name: 'as many numbers as fit', json: list('0') },
  { name: 'as many empty objects as fit', json: list('{}') },
  { name: 'as many texts as fit', json: list('"a"') },
  {
    name: 'as many keys as fit',
    json: `{${Array.from({ length: FULL_SIZE / 10 }, (_, index) => `"${index.toString(36)}":0`).join(',')}}`,
  },
  { name: 'the same key many times', json: `{${Array.from({ length: FULL_SIZE / 6 }, () => '"a":0').join(',')}}` },
  { name: 'null', json: 'null' },
  { name: 'nothing', json: '""' },
  { name: 'an empty list', json: '[]' },
];

export const SHORT_VALUES = HOSTILE_VALUES.filter(({ json }) => json.length < FULL_SIZE / 10);
export const FULL_VALUES = HOSTILE_VALUES.filter(({ json }) => json.length >= FULL_SIZE / 10);

/** Where in a document. An index stands for an item of a list. */
export type Place = readonly (string | number)[];

const MARK = '@here@';

/** @returns a document as JSON text, with the value in its place; what stood there, or in its way, gives way. */
export function withHostileValue(document: unknown, place: Place, { json }: HostileValue): string {
  return JSON.stringify(marked(document, place)).replace(text(MARK), () => json);
}

function marked(value: unknown, [key, ...rest]: Place): unknown {
  if (key === undefined) return MARK;
  if (typeof key === 'number')
    return [marked(Array.isArray(value) ? value[0] : undefined, rest), ...(Array.isArray(value) ? value.slice(1) : [])];
  const before =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  return { ...before, [key]: marked(before[key], rest) };
}
