import { Parser } from 'htmlparser2';
import { truncateUtf8 } from '../../actors/tools/tool-output.ts';
import { systemTimers, type Timers } from '../../runtime/clock.ts';
import { endOfJson } from '../../runtime/end-of-json.ts';
import { limitedBody } from '../../models/http/limited-body.ts';

/** Answers that are no text for an LLM. */
const NO_TEXT = /^(image|audio|video|font)\/|^application\/(pdf|zip|gzip|vnd\.|x-tar)/i;
/** Of those, what is text after all: `application/vnd.api+json`, `image/svg+xml`. */
const TEXT_AFTER_ALL = /[+/.](json|xml|yaml|csv|text)\b/i;
/** Servers call bytes so of which they know nothing: JSON without the end of a file's name, and pictures. */
const UNKNOWN = /^application\/(octet-stream|binary)|^binary\//i;
/** Signs that no text has. */
const NO_SIGNS = /(?![\t\n\r])\p{Cc}|\uFFFD/u;
/** Characters that are looked at, and signs of a file among them that a server calls text: compressed, or of a program. */
const FIRST = 512;
const BYTES = /(?:(?![\t\n\f\r])\p{Cc}[^]*?){4}/u;
/** Charsets by the mark that a text may begin with; it says more than a header. */
const MARKS: readonly (readonly [begin: readonly number[], charset: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];
/** A page has this many times as many bytes as words, and an answer with a picture in it. */
const MARKUP = 8;
/** Pictures and files in JSON, also those that were cut: base64 says nothing to an LLM. */
const FILE = new RegExp(
  [
    String.raw`data:[\w.+-]{1,60}\\?\/[\w.+-]{1,60}(?:;[\w.=+-]{1,60}){0,4};base64,(?:[A-Za-z0-9+/=]|\\\/){64,}`,
    // Letters of both cases and digits: a word of one letter without end is no file.
    String.raw`(?<![A-Za-z0-9+/])(?=[\w+/]{0,200}[A-Z])(?=[\w+/]{0,200}[a-z])(?=[\w+/]{0,200}\d)(?:[A-Za-z0-9+/]|\\\/){512,}={0,2}`,
  ].join('|'),
  'g',
);

/**
 * Reads a response up to a limit in bytes and drops the rest without waiting for it: in its own charset, UTF-8 where it
 * names none; a page without its markup; what is no text as a note of it.
 */
export async function readText(response: Response, maxBytes: number, timers: Timers = systemTimers): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null) return '';
  const leftOut = `[${type.split(';')[0]!.trim()} left out]`;
  if (NO_TEXT.test(type) && !TEXT_AFTER_ALL.test(type)) {
    await response.body.cancel().catch(() => {});
    return leftOut;
  }
  const isPage = /^(text\/html|application\/xhtml)/i.test(type);
  const body = limitedBody(response.body, { beyond: 'cut', bodyBytes: maxBytes * MARKUP });
  const text = decoded(await bytesOf(body.getReader(), timers), type);
  if ((UNKNOWN.test(type) && NO_SIGNS.test(text)) || BYTES.test(text.slice(0, FIRST)))
    return type === '' ? '[an answer that is no text, left out]' : leftOut;
  return truncateUtf8(isPage ? wordsOf(text) : withoutFiles(text), maxBytes);
}

/** Without pictures and files in it, as base64. */
export const withoutFiles = (text: string): string => text.replaceAll(FILE, '[a file, left out]');

/** A server that keeps its connection open behind its answer is waited for so long: behind whole JSON, and behind a text. */
const SILENCE_MS = { json: 1_000, text: 10_000 };

/** @throws what reading throws, unless whole JSON has come before. */
async function bytesOf(reader: ReadableStreamDefaultReader<Uint8Array>, timers: Timers): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const isWhole = (): boolean => isWholeJson(Buffer.concat(pieces).toString().trim());
  try {
    for (;;) {
      const read = reader.read();
      if ((await isSilent(read, SILENCE_MS.json, timers)) && isWhole()) break;
      if (pieces.length > 0 && (await isSilent(read, SILENCE_MS.text, timers))) break;
      const { done, value } = await read;
      if (done) break;
      pieces.push(value);
    }
  } catch (error) {
    if (!isWhole()) throw error;
  }
  void reader.cancel().catch(() => {});
  return Buffer.concat(pieces);
}

const isWholeJson = (text: string): boolean => /^[[{]/.test(text) && endOfJson(text, 0) === text.length;

/** @returns whether nothing comes for a while. */
async function isSilent(read: Promise<unknown>, forMs: number, timers: Timers): Promise<boolean> {
  let timer: unknown;
  const silence = new Promise<true>((over) => {
    timer = timers.setTimeout(() => over(true), forMs);
  });
  return Promise.race([read.then(() => false), silence]).finally(() => timers.clearTimeout(timer));
}

/** A character that the limit cut in two is left out. Western servers that name no charset often have their old one. */
function decoded(bytes: Buffer, type: string): string {
  const mark = MARKS.find(([begin]) => begin.every((byte, at) => bytes[at] === byte))?.[1];
  const named =
    mark ??
    /charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1] ??
    /<meta[^>]{1,200}charset\s*=\s*["']?([\w-]+)/i.exec(bytes.toString('latin1', 0, 2048))?.[1];
  const decode = (charset: string, fatal = false): string =>
    new TextDecoder(charset, { fatal }).decode(bytes, { stream: true });
  try {
    return decode(named ?? 'utf-8', named === undefined);
  } catch {
    return decode(named === undefined ? 'windows-1252' : 'utf-8');
  }
}

const UNSEEN = /^(script|style|noscript|template|svg)$/;
const BLOCK = /^(p|div|br|li|tr|h[1-6]|section|article|table|ul|ol|pre|title)$/;

/** What somebody reads on a page. */
export function wordsOf(html: string): string {
  let text = '';
  let unseen = 0;
  const parser = new Parser({
    onopentag(name) {
      if (UNSEEN.test(name)) unseen += 1;
      else if (BLOCK.test(name)) text += '\n';
      else if (name === 'td' || name === 'th') text += ' ';
    },
    ontext(piece) {
      if (unseen === 0) text += piece.replaceAll(/\s+/g, ' ');
    },
    onclosetag(name) {
      if (UNSEEN.test(name)) unseen -= 1;
    },
  });
  parser.end(html);
  return text.replaceAll(/[ \t]*\n\s*/g, '\n').trim();
}
