import { addressBehind } from './link-address.ts';

/** What a document calls by names of its own: `\newcommand{\hotel}{Hotel Sonne}`. */
export type LatexNames = ReadonlyMap<string, string>;

const ACCENTS: Readonly<Record<string, string>> = {
  '"': '\u0308',
  "'": '\u0301',
  '`': '\u0300',
  '^': '\u0302',
  '~': '\u0303',
  '=': '\u0304',
  '.': '\u0307',
  c: '\u0327',
  v: '\u030c',
  u: '\u0306',
  H: '\u030b',
  r: '\u030a',
  k: '\u0328',
};

/** Names and signs, one behind the other. */
const SIGNS = new Map(
  `ss ß ae æ AE Æ oe œ OE Œ o ø O Ø aa å AA Å l ł L Ł i i j j S § P ¶ copyright © pounds £ euro € EUR € texteuro € textdegree °
  dots … ldots … cdots … textendash – textemdash — times × cdot · div ÷ pm ± le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ to →
  rightarrow → Rightarrow ⇒ leftarrow ← infty ∞ degree ° circ ° sum ∑ int ∫ partial ∂ in ∈ alpha α beta β gamma γ delta δ epsilon ε
  varepsilon ε lambda λ mu μ pi π rho ρ sigma σ tau τ phi φ omega ω Delta Δ Sigma Σ Omega Ω theta θ eta η textbackslash \\
  LaTeX LaTeX TeX TeX textbar | textasciitilde ~ textquotedblleft “ textquotedblright ” glqq „ grqq “ slash /`
    .split(/\s+/)
    .reduce<[string, string][]>(
      (pairs, word, at, all) => (at % 2 === 0 ? [...pairs, [word, all[at + 1]!]] : pairs),
      [],
    ),
);

/** What nobody reads, with the number of arguments that belong to it. */
const UNSEEN = new Map(
  Object.entries({
    1: `label ref eqref pageref autoref cref Cref cite citep citet parencite autocite nocite vspace hspace
      includegraphics input include bibliography bibliographystyle addbibresource usepackage documentclass
      index pagestyle thispagestyle color pagenumbering hypersetup geometry graphicspath phantom hyphenation
      selectlanguage cline cmidrule rowcolor bibitem todo vskip`,
    2: `setlength addtolength setcounter addtocounter definecolor rule newcommand renewcommand providecommand
      def newtheorem fontsize addcontentsline`,
  }).flatMap(([count, names]) => names.split(/\s+/).map((name) => [name, Number(count)] as const)),
);

/** Of whose arguments the first does not belong to the text. */
const SECOND = new Set([
  'textcolor',
  'colorbox',
  'multirow',
  'multicolumn',
  'parbox',
  'raisebox',
  'fontspec',
  'foreignlanguage',
  'hyperref',
]);

/** Characters in which an argument ends: one that does not is no argument, and is not looked for to the end of a book. */
const LONGEST = { '{': 100_000, '[': 2_000 };

/** `{…}` or `[…]` at a place, behind blanks. @returns null where there is none. */
export function argumentAt(text: string, at: number, open: '{' | '[' = '{'): { text: string; end: number } | null {
  let from = at;
  while (/[ \t\n]/.test(text[from] ?? '')) from += 1;
  if (text[from] !== open) return null;
  const close = open === '{' ? '}' : ']';
  let depth = 0;
  const last = Math.min(text.length, from + LONGEST[open]);
  for (let end = from; end < last; end += 1) {
    const sign = text[end];
    if (sign === '\\') end += 1;
    else if (sign === open) depth += 1;
    else if (sign === close && (depth -= 1) === 0) return { text: text.slice(from + 1, end), end: end + 1 };
  }
  return null;
}

/** Words without commands. Notes stand in brackets, links have their address behind their words. */
export function plainLatex(text: string, names: LatexNames): string {
  let plain = '';
  for (let at = 0; at < text.length;) {
    const sign = text[at]!;
    if (sign !== '\\') {
      plain += sign === '~' ? ' ' : /[{}$]/.test(sign) ? '' : sign;
      at += 1;
      continue;
    }
    const name = /^(?:[A-Za-z@]+|[^])/.exec(text.slice(at + 1, at + 41))?.[0] ?? '';
    const said = commandAt(name, text, at + 1 + name.length, names);
    plain += said.text;
    at = said.end;
  }
  return plain
    .replaceAll('---', '—')
    .replaceAll('--', '–')
    .replaceAll(/``|''/g, '"')
    .replaceAll(/(?<=\S)[ \t]{2,}/g, ' ')
    .replaceAll(/ (?=[,.;:)](?:\s|$))/g, '')
    .normalize('NFC');
}

function commandAt(name: string, text: string, from: number, names: LatexNames): { text: string; end: number } {
  let end = text[from] === '*' ? from + 1 : from;
  const option = argumentAt(text, end, '[');
  if (option !== null && /^[a-z]/i.test(name)) end = option.end;
  const next = (): string => {
    const found = argumentAt(text, end);
    end = found?.end ?? end;
    return found?.text ?? '';
  };
  const plain = (words: string): string => plainLatex(words, names);
  const accent = ACCENTS[name];
  const unseen = UNSEEN.get(name);
  if (accent !== undefined) {
    const letter = argumentAt(text, from)?.text ?? /^\s*(\\[ij]|[^\s\\])/.exec(text.slice(from, from + 4))?.[0] ?? '';
    return { text: plain(letter.trim()) + accent, end: argumentAt(text, from)?.end ?? from + letter.length };
  }
  if (unseen !== undefined) {
    for (let count = 0; count < unseen; count += 1) next();
    return { text: '', end };
  }
  if (SECOND.has(name)) {
    for (const _ of name.startsWith('multi') ? [1, 2] : name === 'hyperref' ? [] : [1]) next();
    return { text: plain(next()), end };
  }
  if (/^(?:footnote|thanks|footnotetext)$/.test(name)) return { text: ` (${plain(next())})`, end };
  if (name === 'url' || name === 'nolinkurl' || name === 'path') return { text: next(), end };
  if (name === 'href') {
    const address = next().replaceAll('\\', '');
    const words = plain(next());
    return { text: words + addressBehind(words, address), end };
  }
  if (/^[dt]?frac$/.test(name)) return { text: `${grouped(plain(next()))}/${grouped(plain(next()))}`, end };
  if (name === 'sqrt') return { text: `√${grouped(plain(next()))}`, end };
  const own = names.get(name);
  // Not what it calls in turn: ten names that call each other ten times are a book.
  if (own !== undefined) return { text: plainLatex(own, new Map()), end };
  const letter = SIGNS.get(name);
  // The blank behind the name of a letter only ends it.
  if (letter !== undefined) return { text: letter, end: from + (/^\p{L}/u.test(letter) && text[from] === ' ' ? 1 : 0) };
  if (name === '\\') return { text: '\n', end: text[end] === '\n' ? end + 1 : end };
  if (/^[,;: !]$/.test(name)) return { text: name === '!' ? '' : ' ', end: from };
  if (/^[^A-Za-z()[\]\-/@]$/.test(name)) return { text: name, end: from };
  if (/^(?:quad|qquad|newline|hfill|par)$/.test(name)) return { text: ' ', end };
  if (name === 'and') return { text: ',', end };
  return { text: '', end: /^[A-Za-z]/.test(name) && text[end] === ' ' && end === from ? end + 1 : end };
}

const grouped = (words: string): string => (/^[\w.]*$/.test(words) ? words : `(${words})`);
