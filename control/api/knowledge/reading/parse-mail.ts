import PostalMime, { type Email } from 'postal-mime';
import { bytesOf, decoderNamed, decodeText, isUtf16, unmangled } from './decode-text.ts';

/** Texts that say no charset of their own. */
const UNSAID = /^(Content-Type:[ \t]*text\/(?:plain|html)[^\r\n;]*)(?=\r?\n(?![ \t]))/gim;
const SAID = /^(Content-Type:[ \t]*text\/[^]{0,80}?charset=)"?([\w-]+)"?/gim;

const SUBJECT = /^Subject:[ \t]*([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)/im;

/**
 * A message, with its letters right where it says a wrong charset or none: old programs wrote theirs without saying which.
 */
export async function parseMail(bytes: Uint8Array): Promise<Email> {
  const own = asUtf8(Buffer.from(bytes));
  const denied = utf8WhateverItSays(own);
  let mail = await parsed(denied ?? own);
  if (denied !== null && damageOf(mail) > 0) mail = await parsed(own);
  const { subject } = mail;
  if (subject?.includes('\uFFFD') === true) mail.subject = subjectOf(own) ?? subject;
  const unknown = unknownCharset(own);
  if (unknown !== null) return { ...mail, ...textsOf(await parsed(as1252(own)), (text) => decoded(text, unknown)) };
  const said = damageOf(mail) === 0 ? null : withCharsets(own);
  return said === null ? mail : { ...mail, ...textsOf(await parsed(said), (text) => decoded(text)) };
}

/** Of its fields, which are the first of it. */
const TELLING_BYTES = 1024;

/** One that was saved as UTF-16. */
const asUtf8 = (bytes: Buffer): Buffer =>
  isUtf16(bytes.subarray(0, TELLING_BYTES)) ? Buffer.from(decodeText(bytes).text) : bytes;

async function parsed(bytes: Buffer): Promise<Email> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 16 });
  return { ...mail, ...textsOf(mail, unmangled) };
}

const textsOf = ({ html, text }: Email, change: (text: string) => string): Pick<Email, 'html' | 'text'> => ({
  ...(html === undefined ? {} : { html: change(html) }),
  ...(text === undefined ? {} : { text: change(text) }),
});

/** Characters of its texts that could not be read. */
const damageOf = ({ html = '', text = '' }: Email): number => (html + text).split('\uFFFD').length - 1;

/** Its bytes are UTF-8, which its fields deny. */
function utf8WhateverItSays(bytes: Buffer): Buffer | null {
  if (!bytes.some((byte) => byte > 0x7f)) return null;
  const text = bytes.toString();
  return text.includes('\uFFFD') ? null : Buffer.from(text.replaceAll(SAID, '$1utf-8'));
}

/** Its bytes as characters of Windows-1252, of which `decoded` makes those that they are. */
function withCharsets(bytes: Buffer): Buffer | null {
  const text = bytes.toString('latin1');
  const end = text.search(/\r?\n\r?\n/);
  // As it was before MIME: no field says what it is.
  const isPlain = end !== -1 && !/^Content-Type:/im.test(text.slice(0, end));
  const said = isPlain
    ? `${text.slice(0, end)}\nContent-Type: text/plain; charset=windows-1252${text.slice(end)}`
    : text.replaceAll(UNSAID, '$1; charset=windows-1252');
  return said === text ? null : Buffer.from(said, 'latin1');
}

/** One that a text says, and no decoder of the web knows. */
function unknownCharset(bytes: Buffer): string | null {
  const names = bytes.toString('latin1').matchAll(SAID);
  return names.map(([, , name = '']) => name).find((name) => decoderNamed(name) === null) ?? null;
}

const as1252 = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('latin1').replaceAll(SAID, '$1windows-1252'), 'latin1');

/** @param charset that it says. */
function decoded(text: string, charset?: string): string {
  const bytes = bytesOf(text);
  return bytes === null ? text : decodeText(bytes, charset).text;
}

function subjectOf(bytes: Buffer): string | undefined {
  const line = SUBJECT.exec(bytes.toString('latin1', 0, 65_536))?.[1];
  return line === undefined ? undefined : decodeText(Buffer.from(line, 'latin1')).text.replaceAll(/\s+/g, ' ');
}
