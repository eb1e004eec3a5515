import { describe, expect, it } from 'vitest';
import { read, textOf } from '../testing/read.ts';

/** Texts that programs make pages of. Their signs were read with them ("\section{Prices}", "[[address][menu]]"), or they were refused. */

const shown = async (name: string, content: string): Promise<string[]> =>
  (await read(name, content)).map((passage) => `${passage.metadata.heading ?? ''} | ${passage.content}`);

describe('AsciiDoc', () => {
  it('is read with its headings, tables, notes and attributes, and without the files that it includes', async () => {
    const text = `= Hotel Sonne
:toc:
:phone: +49 30 901820

Call *{phone}*, see https://example.org/menu[the menu]. Free.footnote:[For guests.]

include::secret.adoc[]

== Prices

NOTE: On Sundays until \`11\`.

.Of a night
|===
|Room |Price

|Attic |80 EUR
|===

* One
. First
`;
    expect(await shown('a.adoc', text)).toEqual([
      'Hotel Sonne | Hotel Sonne\n\nCall +49 30 901820, see the menu (https://example.org/menu). Free. (For guests.)',
      'Hotel Sonne › Prices | Prices\n\nNote: On Sundays until 11.\n\nOf a night',
      'Hotel Sonne › Prices | Room: Attic; Price: 80 EUR',
      'Hotel Sonne › Prices | - One\n\n1. First',
    ]);
  });
});

describe('reStructuredText', () => {
  it('is read with its headings, links, notes and tables of all kinds', async () => {
    const text = `=====
Hotel
=====

.. toctree::

   rooms

See \`the menu <https://example.org/menu>\`_, the \`price list\`_ or :ref:\`rooms <r>\`; \`\`start\`\` [1]_. Call |phone|.

.. |phone| replace:: +49 30 901820
.. _price list: https://example.org/prices
.. [1] Only for
   guests.
.. a comment

Prices
------

.. warning::
   :class: x

   No *pets*.

.. list-table::
   :header-rows: 1

   * - Room
     - Price
   * - Attic
     - 80

=====  =====
Room   Beds
=====  =====
Suite  4 and
       more
=====  =====

+------+------+
| Name | Size |
+======+======+
| Pool | 20 m |
+------+------+

.. code-block:: sh

   start *now*
`;
    expect(await shown('a.rst', text)).toEqual([
      'Hotel | Hotel\n\nSee the menu (https://example.org/menu), the price list (https://example.org/prices) or rooms; ' +
        'start (Only for guests.). Call +49 30 901820.',
      'Hotel › Prices | Prices\n\nWarning: No pets.',
      'Hotel › Prices | Room: Attic; Price: 80',
      'Hotel › Prices | Room: Suite; Beds: 4 and more',
      'Hotel › Prices | Name: Pool; Size: 20 m',
      'Hotel › Prices | start *now*',
    ]);
  });
});

describe('Org', () => {
  it('is read without drawers, tags and marks', async () => {
    const text = `#+TITLE: Hotel
#+OPTIONS: toc:nil
# a comment

See [[https://example.org/menu][the menu]][fn:1] and /usr/bin/env.

* TODO [#A] Hours :house:
SCHEDULED: <2026-01-05 Mon>
:PROPERTIES:
:ID: 1
:END:
From /seven/, +90+ *80* EUR.
| Room  | Price |
|-------+-------|
| Attic | 80    |
- Pool :: open
#+BEGIN_SRC sh
echo *x*
#+END_SRC

[fn:1] In English.
`;
    expect(await shown('a.org', text)).toEqual([
      'Hotel | Hotel\n\nSee the menu (https://example.org/menu) (In English.) and /usr/bin/env.',
      'Hotel › TODO Hours | TODO Hours\n\nSCHEDULED: 2026-01-05 Mon\nFrom seven,  80 EUR.',
      'Hotel › TODO Hours | Room: Attic; Price: 80',
      'Hotel › TODO Hours | - Pool: open\necho *x*',
    ]);
  });
});

describe('LaTeX', () => {
  it('is read without its commands', async () => {
    const text = String.raw`\documentclass{article} % of 2026
\newcommand{\hotel}{Hotel Sonne}
\title{\hotel{} Handbook}
\author{J\"urgen M\"{u}ller \and Ren\'e}
\begin{document}
\section{Hours}\label{sec:h}
From \textbf{7}~a.m.,\footnote{For \emph{guests}.} at 50\% --- see \href{https://example.org/menu}{the menu}. Stra\ss e, \$20.
\begin{enumerate}[label=(a)]
  \item First
  \item $x \leq \frac{a+1}{b}$
\end{enumerate}
\begin{tabular}{|l|r|}
  \hline
  Room & Price \\ \hline
  Attic \& sofa & \multicolumn{1}{c}{80} \\
\end{tabular}
\includegraphics[width=1cm]{house.png}
\end{document}`;
    expect(await shown('a.tex', text)).toEqual([
      'Hotel Sonne Handbook | Hotel Sonne Handbook\n\nJürgen Müller, René',
      'Hotel Sonne Handbook › Hours | Hours\n\nFrom 7 a.m., (For guests.) at 50% — see the menu (https://example.org/menu). ' +
        'Straße, $20.\n\n1. First\n\n2. x ≤ (a+1)/b',
      'Hotel Sonne Handbook › Hours | Room: Attic & sofa; Price: 80',
    ]);
  });

  it('of names that call each other stays small', async () => {
    const names = 'bcdefghij'
      .split('')
      .map((name, at) => `\\newcommand{\\${name}}{${`\\${'abcdefghij'[at]}`.repeat(50)}}`);
    const text = `\\newcommand{\\a}{word}${names.join('')}\\begin{document}x \\j\\end{document}`;
    expect((await textOf('a.tex', text)).length).toBeLessThan(1000);
  });
});

describe('A notebook of Jupyter', () => {
  const notebook = JSON.stringify({
    cells: [
      { cell_type: 'markdown', source: ['# Sales\n', '\n', 'Of our house.'] },
      {
        cell_type: 'code',
        source: 'df.head()',
        outputs: [
          { output_type: 'stream', text: ['Total: 2\n'] },
          {
            output_type: 'execute_result',
            data: { 'text/html': '<table><tr><th>Room<th>Price<tr><td>Attic<td>80</table>', 'text/plain': 'x' },
          },
          { output_type: 'display_data', data: { 'image/png': 'iVBOR', 'text/plain': '<Figure size 640x480>' } },
          { output_type: 'error', traceback: ['NameError'] },
        ],
      },
    ],
    nbformat: 4,
  });
  it.each(['a.ipynb', 'a.json'])('is read as what it shows: %s', async (name) =>
    expect(await shown(name, notebook)).toEqual([
      'Sales | Sales\n\nOf our house.\n\ndf.head()\n\nTotal: 2',
      'Sales | Room: Attic; Price: 80',
    ]),
  );
  it('of an old version is refused in words', () =>
    expect(read('a.ipynb', '{"worksheets":[]}')).rejects.toThrow('no notebook of Jupyter 4 or later'));
});

describe('Read right is', () => {
  const book =
    '<?xml version="1.0"?><FictionBook><description><title-info><author><first-name>Jane</first-name><last-name>Doe</last-name>' +
    '</author><book-title>The House</book-title></title-info></description><body><section><title><p>Winter</p></title>' +
    '<p>It was <emphasis>cold</emphasis>.</p></section></body><binary id="c">AAAA</binary></FictionBook>';
  it.each([
    [
      'YAML',
      'a.yaml',
      '# x\nfaq:\n  - q: Open?\n    a: >\n      At\n      nine.\nphone: +49 30\n',
      'faq q: Open?\nfaq a: At nine.\nphone: +49 30',
    ],
    ['what is no YAML', 'a.yml', 'a: b: c: [', 'a: b: c: ['],
    ['JSON that calls itself YAML', 'a.yml', '{"a": 1}', 'a: 1'],
    ['a book of FictionBook', 'a.fb2', book, 'The House\n\nJane Doe\n---\nWinter\n\nIt was cold.'],
    ['an item whose paragraph stands on a line of its own', 'a.html', '<ul>\n<li>\n<p>One</p>\n</li></ul>', '- One'],
  ])('%s', async (_, name, content, expected) => expect(await textOf(name, content)).toBe(expected));
});

/** Each was read with the signs of its program. */
describe('Markdown of a program is read as its page shows it', () => {
  it.each([
    [
      'Obsidian, links',
      'See [[Rooms|our rooms]], [[Prices#Summer]] ![[house.png]]and ==marked==.',
      'See our rooms, Prices › Summer and marked.',
    ],
    ['Obsidian, boxes', '> [!note] Hours\n> From seven.', '> Hours\n> From seven.'],
    ['Obsidian, comments', '50%% off. %% not yet\nsure %%', '50%% off.'],
    ['MkDocs', '!!! note "Hours"\n    From seven.\n\n??? tip\n    Ask.', 'Hours\n    From seven.\n\nTip:\n    Ask.'],
    ['Docusaurus', ':::warning[Hot]\nThe sauna.\n:::', 'Hot\nThe sauna.'],
    ['Quarto', '::: {.callout-note}\nThe sauna.\n:::', 'Note:\nThe sauna.'],
    ['Pandoc', '(label)=\n# Hours {#hours .wide}\n\nSeven.', 'Hours\n\nSeven.'],
    ['Notion', '<aside>\nCall us.\n</aside>\n\n[Prices](Prices%20123.csv), [up](#top)', 'Call us.\n\nPrices, up'],
    [
      'nothing of these',
      'a == b, c == d, {x}, [1], [a](https://x.org)',
      'a == b, c == d, {x}, [1], [a](https://x.org)',
    ],
    ['code', '```\n[[x]] ==y==\n```', '```\n[[x]] ==y==\n```'],
  ])('%s', async (_, markdown, text) => expect((await textOf('a.md', markdown)).trim()).toBe(text));
});

describe('What other programs export is read', () => {
  const page = '<html><body><h1>Prices</h1><p>From 80 =E2=82=AC</p></body></html>';
  const confluence =
    'Date: Mon, 5 Jan 2026 10:00:00 +0000\nSubject: Exported From Confluence\nMIME-Version: 1.0\n' +
    'Content-Type: multipart/related; boundary="x"\n\n--x\nContent-Type: text/html; charset=UTF-8\n' +
    `Content-Transfer-Encoding: quoted-printable\n\n${page}\n--x--\n`;
  const note =
    '<?xml version="1.0"?><en-export><note><title>Prices</title><content><![CDATA[<en-note><div>From <b>80</b></div></en-note>]]>' +
    '</content><resource><data>AAAA</data></resource></note></en-export>';
  it.each([
    [
      'a Word document of Confluence',
      'a.doc',
      confluence,
      'Exported From Confluence\n\n2026-01-05\n---\nPrices\n\nFrom 80 €',
    ],
    ['a note of Evernote', 'a.enex', note, 'Prices\n\nFrom 80'],
    [
      'an outline',
      'a.opml',
      '<?xml version="1.0"?><opml><body><outline text="A"><outline text="B" xmlUrl="https://x.org"/></outline></body></opml>',
      '- A\n  - B (https://x.org)',
    ],
    [
      'subtitles as XML',
      'a.ttml',
      '<tt><body><p begin="0s">Hi<br/>there.</p><p>Two.</p></body></tt>',
      'Hi there.\nTwo.',
    ],
    ['subtitles of YouTube', 'a.sbv', '0:00:01.000,0:00:02.000\nHi.\n\n0:00:03.000,0:00:04.000\nTwo.\n', 'Hi.\n\nTwo.'],
  ])('%s', async (_, name, content, text) => expect(await textOf(name, content)).toBe(text));
});

/** Pages of Wikipedia and of many companies were read with all the signs of their program. */
describe('A page of MediaWiki', () => {
  it('is read with its headings, lists, notes and tables, without its templates', async () => {
    const page = [
      '{{Infobox|x={{y}}}}<!-- secret -->',
      '== Hours ==',
      "'''Open''' at [[Clock|nine]]<ref>Not Mondays.</ref>, see [https://example.com/a the plan].",
      '[[Category:Hotels]]',
      '# one',
      '# two',
      '{| class="wikitable"',
      '! Room !! Price',
      '|-',
      '| Attic || style="color:red" | 80 m<sup>2</sup>',
      '|-',
      '| Loft',
      '| 90',
      '|}',
    ];
    const passages = await read('a.wiki', page.join('\n'));
    expect(passages.map(({ content }) => content)).toEqual([
      'Hours\n\nOpen at nine (Not Mondays.), see the plan (https://example.com/a).\n\n1. one\n2. two',
      'Room: Attic; Price: 80 m²\nRoom: Loft; Price: 90',
    ]);
    expect(passages[1]?.metadata.heading).toBe('Hours');
  });
});
