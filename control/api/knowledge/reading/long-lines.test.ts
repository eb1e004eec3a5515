import { expect, it } from 'vitest';
import { readCalendar } from './read-calendar.ts';
import { textOf } from '../testing/read.ts';
import { readerOf } from './reader-of.ts';

/**
 * A pattern went on from each place of a line to its end, and back: a file of 1 MB took the processor for all of the
 * minute that a document has. These took longer than a test may.
 */

it('an address book with a line that says its encoding again and again is read', () => {
  const book = `BEGIN:VCARD\nFN:Ann\nNOTE;${'QUOTED-PRINTABLE'.repeat(60_000)}\nEND:VCARD\n`;
  expect([...readCalendar(Buffer.from(book))].map(({ text }) => text)).toEqual(['Ann']);
});

it('a mailbox that ends within a line of digits is read', async () => {
  const mailbox = 'From a@b Mon Jan  1 00:00:00 2026\nSubject: One\n\nText.\n\n';
  const texts: string[] = [];
  for await (const { text } of (await readerOf('mail'))(Buffer.from(`${mailbox}From a@b ${'1'.repeat(300_000)}`)))
    texts.push(text);
  expect(texts.join(' ')).toContain('Text.');
});

/** Only the first of them was joined, and the other lines, which have no name of their own, were lost. */
it('a note of several quoted-printable lines is whole', () => {
  const book = 'BEGIN:VCARD\nNOTE;ENCODING=QUOTED-PRINTABLE:We open =\nat nine, =\nevery day.\nFN:Ann\nEND:VCARD\n';
  expect([...readCalendar(Buffer.from(book))].map(({ text }) => text)).toEqual([
    'note: We open at nine, every day.\nAnn',
  ]);
});

it.each([
  [
    'signed messages that nobody ends',
    'a.eml',
    `Subject: a\n\n${'-----BEGIN PGP SIGNED MESSAGE-----\n\n'.repeat(20_000)}`,
  ],
  ['subtitles whose braces nobody closes', 'a.ass', `[Script Info]\n[Events]\n${'Dialogue: {{{{'.repeat(100_000)}`],
  ['names of elements that go on with cookies', 'a.html', `<div class="${'cookie'.repeat(200_000)}">x</div>`],
])('%s are read', async (_, name, content) => {
  await expect(textOf(name, content)).resolves.toBeDefined();
});
