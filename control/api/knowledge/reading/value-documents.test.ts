import { describe, expect, it } from 'vitest';
import { read, textOf, zipOf } from '../testing/read.ts';

const contents = async (name: string, content: string | Buffer): Promise<string[]> =>
  (await read(name, content)).map((passage) => passage.content);

/** Descriptions of products, as shops export them: the elements of HTML were read aloud. */
describe('A value is read without the elements that it is written with', () => {
  it.each([
    [
      'a.csv',
      'Name,About\nSoap,"<p>Made <b>here</b></p>"\nTea,"Salt &amp; pepper"\n',
      ['Name: Soap\nAbout: Made here', 'Name: Tea\nAbout: Salt & pepper'],
    ],
    ['a.json', '{"about":"<p>One</p><ul><li>Two</li></ul>"}', ['about: One\n- Two']],
    ['a.json', '{"about":"&lt;b&gt;One&lt;/b&gt;"}', ['about: One']],
    ['a.csv', 'Name,About\nDear <your name>,x < y\n', ['Name: Dear <your name>\nAbout: x < y']],
  ])('%s: %s', async (name, content, read) => expect(await contents(name, content)).toEqual(read));
});

describe('A sheet', () => {
  const book = (rows: string, more: Readonly<Record<string, string>> = {}): Promise<Buffer> =>
    zipOf({
      'xl/workbook.xml': '<workbook><sheets><sheet name="S"/></sheets></workbook>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ...more,
    });
  const row = (...cells: readonly string[]): string => `<row>${cells.join('')}</row>`;
  const text = (content: string, style = 0): string => `<c t="str" s="${style}"><v>${content}</v></c>`;
  const number = (value: string, style = 0): string => `<c s="${style}"><v>${value}</v></c>`;

  /** 1234567890123456 was 1234567890120000. */
  it('has all digits of its numbers', async () => {
    const rows = row(text('Name'), text('Account')) + row(text('Ann'), number('1234567890123456'));
    expect(await contents('a.xlsx', await book(rows))).toEqual(['Name: Ann\nAccount: 1234567890123456']);
  });

  it('does not tell what is struck through, in whole or in part', async () => {
    const styles =
      '<styleSheet><fonts><font/><font><strike/></font></fonts><cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs></styleSheet>';
    const shared =
      '<sst><si><r><rPr><strike/></rPr><t>100</t></r><r><rPr><strike val="0"/></rPr><t> 95</t></r></si></sst>';
    const rows =
      row(text('Room'), text('Price'), text('Was')) +
      row(text('Attic'), '<c t="s"><v>0</v></c>', number('120', 1)) +
      row(text('Loft'), number('80'), number('90'));
    const document = await book(rows, { 'xl/styles.xml': styles, 'xl/sharedStrings.xml': shared });
    expect(await contents('a.xlsx', document)).toEqual([
      'Room: Attic\nPrice: 95\nWas:',
      'Room: Loft\nPrice: 80\nWas: 90',
    ]);
  });

  it('is found where its program did not say where it is', async () => {
    const sheet = (name: string): string =>
      `<worksheet><sheetData>${row(text('Room')) + row(text(name))}</sheetData></worksheet>`;
    const files = { 'xl/worksheets/sheet10.xml': sheet('Loft'), 'xl/worksheets/sheet2.xml': sheet('Attic') };
    expect(await contents('a.xlsx', await zipOf(files))).toEqual(['Room: Attic', 'Room: Loft']);
  });

  it('has names of three rows', async () => {
    const csv = 'Region,2025,,,\n,Q1,,Q2,\n,Plan,Actual,Plan,Actual\nEU,1,2,3,4\nUS,5,6,7,8\n';
    expect((await contents('a.csv', csv))[0]).toBe(
      'Region: EU\n2025 Q1 Plan: 1\n2025 Q1 Actual: 2\n2025 Q2 Plan: 3\n2025 Q2 Actual: 4',
    );
  });

  it('of one column has no name where titles and sentences follow one another', async () => {
    expect(await contents('a.csv', 'Question\nWhat is it?\nWhy, then?\nHow so?\n')).toEqual([
      'Question: What is it?',
      'Question: Why, then?',
      'Question: How so?',
    ]);
    expect((await contents('a.csv', 'Hours\nWe open at 7.\nParking\nIt is free.\n'))[3]).toBe('It is free.');
  });
});

it('Slides are found where their program did not list them', async () => {
  const slide = (words: string): string => `<p:sld><p:sp><a:p><a:r><a:t>${words}</a:t></a:r></a:p></p:sp></p:sld>`;
  const files = { 'ppt/slides/slide10.xml': slide('Ten'), 'ppt/slides/slide2.xml': slide('Two') };
  expect(await contents('a.pptx', await zipOf(files))).toEqual(['Two', 'Ten']);
});

describe('JSON is read without what is put around it', () => {
  it.each([
    ['a call', 'callback({"a": 1});'],
    ['a guard', ')]}\'\n{"a": 1}'],
    ['a loop', 'while(1);{"a": 1}'],
    ['a name', 'var data = {"a": 1};'],
    ['a module', 'export default {"a": 1}'],
    ['fields of HTTP', 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"a": 1}'],
    ['events', 'event: x\ndata: {"a": 1}\n\ndata: [DONE]\n'],
  ])('%s', async (_, json) => expect(await textOf('a.json', json)).toBe('a: 1'));

  it('and without files that are written as letters', async () => {
    const file = Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 37) % 256)).toString('base64');
    expect(await textOf('a.json', JSON.stringify({ name: 'x', file }))).toBe('name: x\nfile:');
  });
});

it('A list of properties of a Mac is read by its names', async () => {
  const list =
    '<?xml version="1.0"?><plist><dict><key>Title</key><string>Spa</string><key>Open</key><true/>' +
    '<key>Days</key><array><string>Mon</string><string>Tue</string></array></dict></plist>';
  expect(await textOf('a.plist', list)).toBe('Title: Spa\nOpen: true\nDays: Mon, Tue');
});

describe('Subtitles of players are read without times and signs', () => {
  const SAID = 'Hello there\nAnd you?';
  it.each([
    [
      'a.ass',
      '[Script Info]\nTitle: T\n\n[Events]\nFormat: Start, End, Name, Text\n' +
        'Dialogue: 0:00:01.00,0:00:02.00,,{\\i1}Hello{\\i0} there\nComment: 0,0,,secret\n' +
        'Dialogue: 0:00:03.00,0:00:04.00,,And you?\n',
    ],
    ['a.lrc', '[ti:]\n[00:01.00]Hello there\n[00:03.50][00:10.00]<00:03.50>And <00:03.90>you?\n'],
    [
      'a.smi',
      '<SAMI><HEAD><STYLE>P {x}</STYLE></HEAD><BODY><SYNC Start=1><P Class=EN>Hello there\n' +
        '<SYNC Start=3><P>&nbsp;\n<SYNC Start=4><P>And you?</BODY></SAMI>',
    ],
    ['a.sub', '{0}{25}Hello there\n{30}{60}{y:i}And you?\n'],
    [
      'a.srv3',
      '<?xml version="1.0"?><timedtext format="3"><body>' +
        '<p t="8"><s>Hello</s><s t="3"> there</s></p><p t="9">And you?</p></body></timedtext>',
    ],
    [
      'a.xml',
      '<?xml version="1.0"?><transcript><text start="0">Hello there</text><text start="3">And you?</text></transcript>',
    ],
    ['a.txt', '0:00\nHello there\n0:03\nAnd you?\n0:07\n'],
  ])('%s', async (name, content) => expect(await textOf(name, content)).toBe(SAID));

  it('and a plan of a day keeps its times', async () =>
    expect(await textOf('a.txt', '9:00\nYoga\n10:00\nGym\n11:00\nPool\n')).toContain('9:00\nYoga'));
});

describe('An archive', () => {
  it('that is empty says so', async () =>
    expect(read('a.zip', Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1'))).rejects.toThrow(
      'The archive is empty.',
    ));

  it('may stand behind a program that unpacks it, and have files without an ending', async () => {
    const archive = await zipOf({ README: 'At nine.' });
    expect(await textOf('a.zip', Buffer.concat([Buffer.from('#!/bin/sh\nexec x\n'), archive]))).toBe('At nine.');
  });
});

describe('Rows', () => {
  /** "Check-in: Check-out, 15:00: 11:00": of the sheets that hotels have. */
  it('of names and their values are no table, where the first value is a number', async () =>
    expect(await contents('a.csv', 'Check-in,15:00\nCheck-out,11:00\nParking,free\n')).toEqual([
      'Check-in: 15:00',
      'Check-out: 11:00',
      'Parking: free',
    ]));

  it('stand below the titles of their parts, also without names of columns', async () => {
    const menu = 'Menu 2026,\n,\nStarters,\nSoup,5.5\nSalad,6\n,\nMains,\nSteak,22\nFish,19\n';
    const rows = (await read('a.csv', menu)).map(({ content, metadata }) => `${metadata.heading}: ${content}`);
    expect(rows).toContain('Menu 2026 › Starters: Salad: 6');
    expect(rows).toContain('Menu 2026 › Mains: Steak: 22');
  });

  it('may be named by a first column that has no name', async () =>
    expect((await contents('a.csv', ',Mon,Tue\n9:00,Yoga,Swim\n10:00,Gym,Run\n'))[0]).toBe(
      '9:00\nMon: Yoga\nTue: Swim',
    ));
});

it('A book that does not say the order of its chapters is read as it lists them', async () => {
  const files = {
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
    'a.opf': '<package><manifest><item id="c" href="c.css"/><item id="a" href="a.xhtml"/></manifest></package>',
    'a.xhtml': '<html><body><p>At nine.</p></body></html>',
    'c.css': 'p {}',
  };
  expect(await textOf('a.epub', await zipOf(files))).toBe('At nine.');
});
