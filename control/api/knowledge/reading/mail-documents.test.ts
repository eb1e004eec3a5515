import { describe, expect, it } from 'vitest';
import { textOf } from '../testing/read.ts';
import { readerOf } from './reader-of.ts';
import type { Section } from './section.ts';

const HEAD = 'From: Ann <ann@example.org>\nSubject: Hours\nDate: Mon, 5 Jan 2026 10:00:00 +0000\nMIME-Version: 1.0\n';
const mail = (...lines: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat([Buffer.from(HEAD), ...lines.map((line) => Buffer.from(line as string))]);
const parts = (...all: readonly string[]): Buffer =>
  mail(`Content-Type: multipart/mixed; boundary=b\n\n${all.map((part) => `--b\n${part}\n`).join('')}--b--\n`);
const TEXT = 'Content-Type: text/plain\n\nSee below.';
const attached = (name: string, type: string, content: string): string =>
  `Content-Type: ${type}; name=${name}\nContent-Disposition: attachment; filename=${name}\n\n${content}`;

const sections = async (message: Buffer): Promise<Section[]> => Array.fromAsync((await readerOf('mail'))(message));
const notes = async (message: Buffer): Promise<string[]> =>
  (await sections(message)).flatMap(({ note }) => (note === undefined ? [] : [note]));

describe('What is attached to a message', () => {
  /** A price list that somebody had sent was only named. */
  it('is read below its subject, where it is a document', async () => {
    const all = await sections(parts(TEXT, attached('prices.csv', 'text/csv', 'Room,Price\nAttic,80')));
    expect(all.at(-1)).toMatchObject({ heading: 'Hours › prices.csv', text: 'Room: Attic\nPrice: 80' });
  });

  it('is named where it is none', async () =>
    expect(await notes(parts(TEXT, attached('tool.bin', 'application/octet-stream', 'x')))).toEqual([
      'Files that are attached to it are not read: tool.bin. Upload them on their own.',
    ]));

  it('may be an invitation, which programs send twice', async () => {
    const event = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Tasting\nEND:VEVENT\nEND:VCALENDAR';
    const message = parts(TEXT, `Content-Type: text/calendar\n\n${event}`, attached('i.ics', 'text/calendar', event));
    expect((await textOf('a.eml', message)).match(/Tasting/g)).toHaveLength(1);
    expect(await notes(message)).toEqual([]);
  });

  it('may be a message in a message in a message, but not for ever', async () => {
    let inner = `${HEAD}\nThe last.`;
    for (let depth = 0; depth < 5; depth += 1) {
      const part = attached('a.eml', 'application/octet-stream', inner);
      inner = `${HEAD}Content-Type: multipart/mixed; boundary=n${depth}\n\n--n${depth}\n${part}\n--n${depth}--\n`;
    }
    expect(await notes(Buffer.from(inner))).toHaveLength(1);
  });
});

describe('A message', () => {
  it('that nobody can open says what to do', async () => {
    const sealed = mail('Content-Type: application/pkcs7-mime; name=smime.p7m\n\nMIIB\n');
    expect(await notes(sealed)).toEqual([expect.stringContaining('encrypted or sealed')]);
    const pgp = mail('\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n');
    expect(await notes(pgp)).toEqual([expect.stringContaining('encrypted (PGP)')]);
    expect(await textOf('a.eml', pgp)).not.toContain('hQEMA');
    const outlook = parts(TEXT, attached('winmail.dat', 'application/ms-tnef', 'x'));
    expect(await notes(outlook)).toEqual([expect.stringContaining('winmail.dat')]);
  });

  it.each([
    [
      'that is signed is read without its signature',
      '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nAt nine.\n- -- Ann\n' +
        '-----BEGIN PGP SIGNATURE-----\n\niQ\n-----END PGP SIGNATURE-----\n',
      'At nine.\n-- Ann',
    ],
    ['with a file as letters is read without it', 'At nine.\n\nbegin 644 a.txt\n#0V%T\n`\nend\n', 'At nine.'],
  ])('%s', async (_, body, text) =>
    expect(await textOf('a.eml', mail('\n', body))).toBe(`Hours\n\nAnn, 2026-01-05\n\n${text}`),
  );

  it('has its text where the page of it is empty', async () => {
    const message = parts(
      'Content-Type: text/plain\n\nAt nine.',
      'Content-Type: text/html\n\n<html><body></body></html>',
    );
    expect(await textOf('a.eml', message)).toContain('At nine.');
  });

  it('of a mailbox has lines that would begin another', async () => {
    const mailbox = `From a@b Mon Jan  5 10:00:00 2026\n${HEAD}\nHello.\n>From nine on.\n`;
    expect(await textOf('a.mbox', mailbox)).toContain('Hello.\nFrom nine on.');
  });

  it.each([
    ['cp850', Buffer.from('Gr\x94\xe1e f\x81r G\x84ste', 'latin1'), 'Größe für Gäste'],
    ['iso-2022-kr', Buffer.from('\x1b$)C\x0e?5>w=C0#\x0f', 'latin1'), '영업시간'],
    ['hz-gb-2312', Buffer.from('~{S*R5J1<d~}'), '营业时间'],
    ['utf-7', Buffer.from('Gr+APYA3w-e, 5 +IKw-'), 'Größe, 5 €'],
    [
      'x-unknown',
      Buffer.from([0xca, 0xee, 0xec, 0xed, 0xe0, 0xf2, 0xe0, 0x20, 0xee, 0xf2, 0xea, 0xf0, 0xfb, 0xf2, 0xe0]),
      'Комната открыта',
    ],
  ])('may be written in %s', async (charset, body, text) => {
    const message = mail(`Content-Type: text/plain; charset=${charset}\n\n`, body);
    expect(await textOf('a.eml', message)).toBe(`Hours\n\nAnn, 2026-01-05\n\n${text}`);
  });

  it('from before MIME has its letters', async () => {
    const old = Buffer.concat([Buffer.from('From: ann@example.org\nSubject: Hours\n\nCaf'), Buffer.from([0xe9])]);
    expect(await textOf('a.eml', old)).toContain('Café');
  });
});

describe('A text', () => {
  it('may have characters of two halves, as databases write them', async () => {
    const halves = Buffer.concat([Buffer.from('Größe '), Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80])]);
    expect(await textOf('a.txt', halves)).toBe('Größe 😀');
  });

  it('with two signs of Chinese mails is not one', async () =>
    expect(await textOf('a.txt', 'Use ~{name~} here.')).toBe('Use ~{name~} here.'));
});
