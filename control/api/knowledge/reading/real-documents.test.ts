import { describe, expect, it } from 'vitest';
import { read, textOf, zipOf } from '../testing/read.ts';

/** Kinds of files in the test suites of Tika, pandoc, docling, unstructured and mail-parser that were not read right. */

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const word = (body: string, files: Readonly<Record<string, string>> = {}): Promise<Buffer> =>
  zipOf({ 'word/document.xml': `<w:document ${W}><w:body>${body}</w:body></w:document>`, ...files });
const HEAD = 'From: Ann <ann@example.org>\nSubject: Hours\nDate: Mon, 5 Jan 2026 10:00:00 +0000\nMIME-Version: 1.0\n';

describe('A Word document that is a page for Word to convert', () => {
  /** "The document contains no text": programs that write pages as Word documents put them in as one message. */
  it.each([
    [
      'as a browser saves it',
      'page.mht',
      `MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n<h1>Caf=C3=A9</h1><p>We open at nine.</p>\n--b--\n`,
    ],
    ['in rich text', 'page.rtf', String.raw`{\rtf1\ansi Caf\'e9\par We open at nine.}`],
  ])('is read: %s', async (_, name, page) => {
    const relation = `<R><Relationship Id="c" Type="x/aFChunk" Target="/word/${name}"/></R>`;
    const document = word('<w:altChunk r:id="c"/>', {
      'word/_rels/document.xml.rels': relation,
      [`word/${name}`]: page,
    });
    expect(await textOf('a.docx', await document)).toBe('Café\n\nWe open at nine.');
  });

  it.each([String.raw`C:\Users\Ann\AppData\Content.Word\body_pic.jpg`, 'Größe 1.2.png', 'https://a.example/b/c.gif'])(
    'does not say the name of a picture: %s',
    async (name) => {
      const picture = `<w:p><w:r><w:t>We open </w:t></w:r><w:r><wp:docPr descr="${name}"/></w:r><w:r><w:t>at nine.</w:t></w:r></w:p>`;
      expect(await textOf('a.docx', await word(picture))).toBe('We open at nine.');
    },
  );
});

/** "Bug : uncompressed data size mismatch" was said of it. */
it('An archive whose parts are damaged is named as one', async () => {
  const bytes = await word(`<w:p><w:r><w:t>${'We open at nine. '.repeat(50)}</w:t></w:r></w:p>`);
  // Its size, which stands in the directory at the end.
  const entry = bytes.lastIndexOf('PK\x01\x02');
  bytes.writeUInt32LE(7, entry + 24);
  await expect(textOf('a.docx', bytes)).rejects.toThrow('The document is damaged: its archive cannot be opened.');
});

describe('Rich text', () => {
  /** LibreOffice wrote it so for years: all that follows was taken for what only some readers know. */
  it('has a mark in the middle of its groups that hides nothing', async () => {
    expect(await textOf('a.rtf', String.raw`{\rtf1{\fs24\i0\*\cs7\cf0 We open at nine}\par}`)).toBe('We open at nine');
    expect(await textOf('a.rtf', String.raw`{\rtf1{\*\generator LibreOffice}Open}`)).toBe('Open');
  });

  it('may be a part of a document, without its head', async () => {
    const part = String.raw`{\pard \f0 Rooms:\par}` + '\n' + String.raw`{\pard We open at nine.\par}`;
    expect(await textOf('a.rtf', part)).toBe('Rooms:\n\nWe open at nine.');
  });

  it('has letterheads, once for all sections', async () => {
    const header = String.raw`{\headerl Hotel Sonne\par Tel. 555-0199\par}{\headerr Hotel Sonne\par}`;
    const text = String.raw`{\rtf1 ${header}We open${header}{\footer Thank you} at nine.\par}`;
    expect(await textOf('a.rtf', text)).toBe('Hotel Sonne\n\nTel. 555-0199\n\nWe open at nine.\n\nThank you');
  });
});

describe('A charset', () => {
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

  it('that a page says and does not have is found', async () => {
    const page = Buffer.concat([
      Buffer.from('<meta charset="UTF-8"><p>'),
      // "В деревне жил мудрый человек, который знал всё." in Windows-1251
      Buffer.from(
        'c220e4e5f0e5e2ede520e6e8eb20ecf3e4f0fbe920f7e5ebeee2e5ea2c20eaeef2eef0fbe920e7ede0eb20e2f1b82e',
        'hex',
      ),
    ]);
    expect(await textOf('a.html', page)).toBe('В деревне жил мудрый человек, который знал всё.');
  });

  it.each([
    [
      'nothing',
      latin1(`${HEAD}Content-Type: text/html\nContent-Transfer-Encoding: 8bit\n\n<p>Il fait déjà très frais.`),
    ],
    ['another one', Buffer.from(`${HEAD}Content-Type: text/plain;\n charset="GB2312"\n\nIl fait déjà très frais.`)],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${HEAD}Content-Type: text/plain\n\nIl fait déjà très frais.`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(`${HEAD}Content-Type: text/plain\n\nIl fait déjà très frais.`, 'utf16le')],
  ])('of a message that says %s is found', async (_, mail) => {
    expect(await textOf('a.eml', mail)).toBe('Hours\n\nAnn, 2026-01-05\n\nIl fait déjà très frais.');
  });

  /** Hebrew was read as "äùí òáø": Western letters in the middle of words, and none that is unusual. */
  it('of Hebrew is found', async () => {
    const text = 'הבריכה פתוחה משעה שבע בבוקר עד תשע בערב. ארוחת בוקר מוגשת בקומה הראשונה.';
    const windows = Buffer.from(
      Array.from(text, (letter) => letter.charCodeAt(0)).map((code) => (code > 0x7f ? code - 0x5d0 + 0xe0 : code)),
    );
    expect(await textOf('a.txt', windows)).toBe(text);
  });

  it('of a text that was read as ISO-8859-1 and written as UTF-8 is the first one', async () => {
    const twice = Buffer.from(Buffer.from('1986 – 1990').toString('latin1'));
    expect(await textOf('a.txt', twice)).toBe('1986 – 1990');
  });

  /** Their names were "��" and "��": the second file took the place of the first. */
  it('of the names in an archive of Windows is that of its language', async () => {
    // In GBK.
    const names = {
      酒店早餐的时间和价格: '\xbe\xc6\xb5\xea\xd4\xe7\xb2\xcd\xb5\xc4\xca\xb1\xbc\xe4\xba\xcd\xbc\xdb\xb8\xf1',
      房间的价格和预订说明: '\xb7\xbf\xbc\xe4\xb5\xc4\xbc\xdb\xb8\xf1\xba\xcd\xd4\xa4\xb6\xa9\xcb\xb5\xc3\xf7',
    };
    let zip = (await zipOf({ [`${'a'.repeat(20)}.txt`]: 'One.', [`${'b'.repeat(20)}.txt`]: 'Two.' })).toString(
      'latin1',
    );
    for (const [index, name] of Object.values(names).entries()) zip = zip.replaceAll('ab'[index]!.repeat(20), name);
    const passages = await read('a.zip', latin1(zip));
    expect(passages.map(({ metadata }) => metadata.heading).toSorted()).toEqual(Object.keys(names).toSorted());
  });
});

/** A book was read as data, with its style sheet. */
it('What a document of XML is, its first element says, behind what the program that wrote it says of itself', async () => {
  const head = '<?xml version="1.0"?>\n<!-- edited with XML Spy -->\n<?style x?>\n';
  const book = `<FictionBook><body><section><p>We open.</p></section></body></FictionBook>`;
  const page = '<html><body><p>We open.</p></body></html>';
  const text =
    '<office:document><office:body><office:text><text:p>We open.</text:p></office:text></office:body></office:document>';
  for (const [name, content] of Object.entries({ 'a.fb2': book, 'b.xml': page, 'c.fodt': text, 'd.xml': text }))
    expect(await textOf(name, head + content), name).toBe('We open.');
});

describe('A text has', () => {
  it.each([
    ['signs of Wingdings as signs', '\uF0B7 Pool\n\uF0FC Sauna', '• Pool\n✓ Sauna'],
    ['no codes that only a font knows', 'Po\u0003ol\uE357 open\u0084', 'Pool open'],
    ['letters in place of their forms', 'ﻻ ﬁn', 'لا fin'],
  ])('%s', async (_, text, expected) => expect(await textOf('a.md', text)).toBe(expected));
});

describe('A message', () => {
  it('of which only the text was saved is one by its name', async () => {
    const text =
      'Content-Type: multipart/mixed;\n boundary=b\n\n--b\nContent-Type: text/plain\n\nWe open at nine.\n--b--\n';
    expect(await textOf('a.eml', text)).toBe('We open at nine.');
  });
});
