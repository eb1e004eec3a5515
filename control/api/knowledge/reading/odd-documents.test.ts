import { describe, expect, it } from 'vitest';
import { documentType } from '../document-type.ts';
import { read, textOf, zipOf } from '../testing/read.ts';

/** What programs write besides the text that is meant: it was found, or the text was not. */

const word = (body: string): Promise<Buffer> =>
  zipOf({ 'word/document.xml': `<w:document xmlns:w="x"><w:body>${body}</w:body></w:document>` });
const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const MAIL = [
  'From: Ann <ann@example.org>',
  'To: b@example.org',
  'Subject: =?utf-8?B?R3LDvMOfZQ==?=',
  'Date: Mon, 5 Jan 2026 10:00:00 +0000',
  'MIME-Version: 1.0',
];

describe('A message', () => {
  it('is read with its subject and its letters', async () => {
    const plain = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable', ''];
    const text = [...MAIL, ...plain, 'We open at =', 'nine. Gr=C3=BC=C3=9Fe'].join('\r\n');
    const read = 'Grüße\n\nAnn, 2026-01-05\n\nWe open at nine. Grüße';
    expect(await textOf('hours.eml', text)).toBe(read);
    expect(await textOf('hours.txt', text)).toBe(read);
  });

  /** The second message was the end of the first one's text. */
  it('is one of many in a mailbox', async () => {
    const message = (name: string): string =>
      `From a@b Mon Jan  1 00:00:00 2026\nFrom: ${name}@example.com\nSubject: ${name}\n` +
      `Date: Mon, 1 Jan 2026 00:00:00 +0000\n\nFrom me, ä: ${name}.\n\n`;
    const text = await textOf('a.mbox', message('jane') + message('bob'));
    expect(text).not.toContain('Mon Jan');
    for (const name of ['jane', 'bob'])
      expect(text).toContain(`${name}@example.com, 2026-01-01\n\nFrom me, ä: ${name}.`);
  });

  /** Those of Gmail and Outlook: read as a text with all its fields, or not in minutes, for one pattern tried every blank. */
  it('is one behind kilobytes of fields of the servers on its way', async () => {
    const signature = `ARC-Seal: i=1;\n${'        b=EKi4xY7ACAVUDqLPuhCP59ecwcnp\n'.repeat(200)}`;
    const text = `${signature}${MAIL.join('\n')}\n\nWe open at nine.`;
    for (const name of ['a.eml', 'a.txt'])
      expect(await textOf(name, text)).toBe('Grüße\n\nAnn, 2026-01-05\n\nWe open at nine.');
  });

  it('of several forms is read once', async () => {
    const parts = [
      'Content-Type: multipart/alternative; boundary=b\n',
      '--b\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\nV2Ugb3BlbiBhdCBuaW5lLg==',
      '--b\nContent-Type: text/html\n\n<p>We open at <b>nine</b>.</p>\n--b--\n',
    ];
    expect(await textOf('a.eml', [...MAIL, ...parts].join('\n'))).toBe('Grüße\n\nAnn, 2026-01-05\n\nWe open at nine.');
  });

  it('and a page that a browser has saved as one', async () => {
    const head = 'From: <Saved by Blink>\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\n';
    const page =
      'Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<h1>Gr=C3=BC=\n=C3=9Fe</h1>\n--b--';
    expect(documentType('a.mhtml', '')).toBe('mail');
    expect(await textOf('a.mhtml', head + page)).toContain('Grüße');
  });
});

describe('What nobody sees is not read', () => {
  it.each([
    ['page', 'a.html', '<p>Open</p><p style="display: none">secret</p><p style="visibility:hidden">secret</p>'],
    ['Markdown', 'a.md', '<!-- secret\nsecret -->\nOpen'],
  ])('in a %s', async (_what, name, content) => expect(await textOf(name, content)).toBe('Open'));

  it('in a Word document, of which text boxes stand there once', async () => {
    const box = `<w:txbxContent>${paragraph('Boxed')}</w:txbxContent>`;
    const twice = `<mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent>`;
    const hidden = '<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>';
    expect(await textOf('a.docx', await word(`${paragraph('Open')}<w:p><w:r>${twice}</w:r>${hidden}</w:p>`))).toBe(
      'Open\n\nBoxed',
    );
  });

  it.each([
    ['SRT', 'a.srt', '1\n00:00:01,000 --> 00:00:02,000\nHello there.\n\n2\n00:00:03,000 --> 00:00:04,500\nAnd you?\n'],
    [
      'WebVTT',
      'a.vtt',
      'WEBVTT\n\n00:01.000 --> 00:02.000 align:left\nHello there.\n\n00:03.000 --> 00:04.000\nAnd you?',
    ],
  ])('the times of subtitles: %s', async (_what, name, content) =>
    expect(await textOf(name, content)).toBe('Hello there.\n\nAnd you?'),
  );
});

describe('Read right is', () => {
  it.each([
    ['a mark behind a blank', 'a.csv', 'Name, "Price"\nA, "3, or 4"\n', 'Name: A\nPrice: 3, or 4'],
    ['UTF-8 that was written twice', 'a.txt', 'FrÃ¼hstÃ¼ck fÃ¼r GÃ¤ste, 5 â‚¬', 'Frühstück für Gäste, 5 €'],
    ['what only looks like that', 'a.txt', 'Ãrea, 日本', 'Ãrea, 日本'],
    ['ISO-2022-JP', 'a.txt', '\x1b$B1D6H;~4V\x1b(B', '営業時間'],
    ['a title with gaps', 'a.txt', 'H O U S E   R U L E S\n\nOpen.', 'HOUSE RULES\n\nOpen.'],
    ['a heading with gaps', 'a.md', '# B R E A K F A S T\n\nAt seven.', 'BREAKFAST\n\nAt seven.'],
    ['answers that only look like a title', 'a.txt', 'A B C D', 'A B C D'],
    ['Japanese from top to bottom', 'a.txt', '営\n業\n時\n間\nは\n九\n時', '営業時間は九時'],
    ['words at the ends of lines', 'a.txt', 'An accommo-\ndation, well-\nknown.', 'An accommodation, well-known.'],
    [
      'JSON with comments',
      'a.json',
      '{\n // hours\n "url": "http://a//b", /* x */ "open": [9, 10,], // y\n}',
      'url: http://a//b\nopen: 9, 10',
    ],
    ['the end of a page', 'a.txt', 'One.\fTwo.', 'One.\n\nTwo.'],
    [
      'OpenDocument in one file',
      'a.fodt',
      '<?xml version="1.0"?><office:document><office:body><office:text><text:p>Flat.</text:p></office:text></office:body></office:document>',
      'Flat.',
    ],
  ])('%s', async (_what, name, content, text) => expect(await textOf(name, content)).toBe(text));

  it('a heading of Markdown that is underlined', async () => {
    const passages = await read('a.md', 'Title\n=====\n\nText.\n\nPart\n---\n\nMore.\n\n---\n\nLast.');
    expect(passages.map(({ metadata }) => metadata.heading)).toEqual(['Title', 'Title › Part']);
  });

  it('and JSON that is none is told with the place', async () => {
    await expect(read('a.json', "{'a': ")).rejects.toThrow('This is no valid JSON (line 1 column 2).');
  });
});
