import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readText } from './read-text.ts';

/** Bytes without a pattern, as a picture has them. */
const FILE = Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * at * 7 + at) % 251)).toString('base64');

/** The LLM was given damaged letters, bytes, or a picture that left no room for the price. */
it.each<[string, string, string | Buffer, string]>([
  ['the charset of old Western servers', 'text/plain', Buffer.from('Größe für Gäste', 'latin1'), 'Größe für Gäste'],
  ['a charset that a page names', 'text/html', Buffer.from('<meta charset="iso-8859-1"><p>Größe', 'latin1'), 'Größe'],
  [
    'in the charset of Windows programs',
    'application/json',
    Buffer.from('\uFEFF{"size":"Größe"}', 'utf16le'),
    '{"size":"Größe"}',
  ],
  ['with a mark and another charset', 'text/plain; charset=iso-8859-1', Buffer.from('\uFEFFGröße'), 'Größe'],
  ['compressed without a word of it', 'application/json', gzipSync('{"data":1}'), '[application/json left out]'],
  ['of a program', '', Buffer.from([8, 1, 18, 3, 0, 1, 2]), '[an answer that is no text, left out]'],
  [
    'with a picture',
    'application/json',
    JSON.stringify({ image: `data:image/png;base64,${FILE}`, price: 80 }),
    '{"image":"[a file, left out]","price":80}',
  ],
  [
    'with a file',
    'application/json',
    JSON.stringify({ file: FILE, price: 80 }),
    '{"file":"[a file, left out]","price":80}',
  ],
  [
    'with a file by PHP',
    'application/json',
    JSON.stringify({ file: FILE, price: 80 }).replaceAll('/', '\\/'),
    '{"file":"[a file, left out]","price":80}',
  ],
  ['with a long word', 'text/plain', 'x'.repeat(600), 'x'.repeat(600)],
  ['with colors', 'text/plain', '\u001b[31mred\u001b[0m', '\u001b[31mred\u001b[0m'],
])('an answer is read as text: %s', async (_, type, body, text) => {
  const headers = type === '' ? undefined : { 'content-type': type };
  const response = new Response(typeof body === 'string' ? body : new Uint8Array(body), { headers });
  if (type === '') response.headers.delete('content-type');
  expect(await readText(response, 16 * 1024)).toBe(text);
});

/** "The webhook did not answer within 60 seconds", to whom it had answered at once. */
it.each(['{"price":|80}\n', 'It costs |80.'])(
  'what came is an answer, though its connection stays open: %s',
  async (answer) => {
    let left = false;
    const body = new ReadableStream<Uint8Array>({
      start(pieces) {
        for (const piece of answer.split('|')) pieces.enqueue(Buffer.from(piece));
      },
      cancel: () => void (left = true),
    });
    const timers = { now: () => 0, setTimeout: (over: () => void) => setImmediate(over), clearTimeout: clearImmediate };
    const response = new Response(body, { headers: { 'content-type': 'application/json' } });
    expect(await readText(response, 1024, timers)).toBe(answer.replace('|', ''));
    expect(left).toBe(true);
  },
);

it('JSON that is whole is an answer, though its connection breaks then', async () => {
  const pieces = [Buffer.from('{"price":80}')];
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) controller.error(new Error('reset'));
      else controller.enqueue(piece);
    },
  });
  expect(await readText(new Response(broken), 1024)).toBe('{"price":80}');
});
