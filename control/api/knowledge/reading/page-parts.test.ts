import { describe, expect, it } from 'vitest';
import { read, textOf } from '../testing/read.ts';

const page = (body: string): string =>
  `<!doctype html><html><head><title>Guide</title></head><body>${body}</body></html>`;
const shown = async (body: string): Promise<string> =>
  (await textOf('a.html', page(body))).replace(/^Guide(\n\n|\n---\n)?/, '');

describe('A page has', () => {
  it.each([
    ['lines whose breaks its style keeps', '<div style="white-space: pre-line">One\nTwo</div>', 'One\nTwo'],
    ['lines that somebody has typed', '<textarea>One\nTwo</textarea>', 'One\nTwo'],
    ['code with its blanks and breaks', '<pre>def f():\n    return 1<br>f()</pre>', 'def f():\n    return 1\nf()'],
    [
      'tables of elements that only have their roles',
      '<div role="table"><div role="row"><span role="columnheader">Room</span><span role="columnheader">Price</span>' +
        '</div><div role="row"><span role="cell">Attic</span><span role="cell">80</span></div>' +
        '<div role="row"><span role="cell">Loft</span><span role="cell">90</span></div></div>',
      'Room: Attic; Price: 80\nRoom: Loft; Price: 90',
    ],
    [
      'rows of a table that only lays it out',
      '<table role="presentation"><tr><td>One</td></tr><tr><td>Two</td></tr></table>',
      'One\n\nTwo',
    ],
    [
      'text in a shadow',
      '<x-a><template shadowrootmode="open"><p>In it</p></template></x-a><template>No</template>',
      'In it',
    ],
    ['pages within it', '<iframe srcdoc="&lt;p&gt;Inner&lt;/p&gt;"></iframe>', 'Inner'],
    [
      'boxes that are ticked',
      '<input type="checkbox" checked value="on">Wi-Fi <input type="radio" value="x">Pool',
      '☒ Wi-Fi  ☐ Pool',
    ],
    ['lists that count down', '<ol reversed><li>c<li>b</ol>', '2. c\n\n1. b'],
    ['notes whose numbers are none of its text', 'Open 9<a role="doc-noteref" href="#n">1</a>.', 'Open 9¹.'],
  ])('%s', async (_, body, text) => expect(await shown(body)).toBe(text));

  it('what it says to browsers without frames', async () => {
    const frames =
      '<html><frameset><frame src="a.html"><noframes><body>Open at nine.</body></noframes></frameset></html>';
    expect(await textOf('a.html', frames)).toBe('Open at nine.');
  });

  it('its charset behind a long comment', async () => {
    const head = Buffer.from(`<html><head><!--${'x'.repeat(5000)}--><meta charset="windows-1251"></head><body>`);
    const body = Buffer.from([0xca, 0xee, 0xec, 0xed, 0xe0, 0xf2, 0xe0]);
    expect(await textOf('a.html', Buffer.concat([head, body]))).toBe('Комната');
  });

  it('headings that only have their role', async () => {
    const [passage] = await read('a.html', '<div role="heading" aria-level="2">Spa</div><p>Open.</p>');
    expect(passage?.metadata.heading).toBe('Spa');
  });
});

describe('Of a saved page is not read', () => {
  it.each([
    [
      'what asks for cookies',
      '<div id="onetrust-banner-sdk">Cookies!</div><div class="cookie-banner">We use cookies</div>',
    ],
    ['a way to its text', '<a class="skip-link" href="#main">Skip to content</a>'],
    [
      'what an encyclopedia has beside it',
      '<sup class="reference">[1]</sup><span class="mw-editsection">[edit]</span>',
    ],
    ['a hidden column', '<table><tr><td hidden>id</td></tr></table>'],
  ])('%s', async (_, beside) => expect(await shown(`${beside}<p>Open.</p>`)).toBe('Open.'));

  it('but a page about cookies is', async () =>
    expect(await shown('<main class="cookie-policy"><p>Two cookies.</p></main>')).toBe('Two cookies.'));
});

it('The address behind a link is the one that it leads to, not that of a program that checks it', async () => {
  const around = [
    'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.com%2Fmenu&amp;data=05',
    'https://www.google.com/url?q=https://example.com/menu&amp;sa=D',
    'https://urldefense.com/v3/__https://example.com/menu__;!!A!B$',
  ];
  for (const address of around)
    expect(await shown(`<a href="${address}">menu</a>`)).toBe('menu (https://example.com/menu)');
});
