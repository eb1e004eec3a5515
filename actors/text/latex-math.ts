/**
 * Writes LaTeX as plain text: `\frac{a}{b}` is "a / b", `\sqrt{x^{2}}` is "√(x^2)", `$E = mc^2$` loses its signs. Text
 * normalization puts the signs in words (`models/tts/text-normalization/math.ts`).
 */

/** Between `\(` and `\)`, `\[` and `\]`, `$$` and `$$`. */
const DELIMITED = /\\\(([^\n]{0,300}?)\\\)|\\\[([^\n]{0,300}?)\\\]|\$\$([^$\n]{1,300})\$\$/g;
/** Between single signs, which prices have, too: "$5 and $10". */
const BETWEEN_SIGNS = /(?<![\p{L}\d$\\])\$(?=\S)([^$\n]{1,200})(?<=[^\s\\])\$(?![\p{L}\d$])/gu;
/** Signs of a formula, or one or two letters. */
const FORMULA = /[\\^_={}<>]|^\p{L}{1,2}$|^-?[\p{L}\d.]+ ?[+*/-] ?[\p{L}\d.]+$/u;
/** A delimiter whose other half is in another line. */
const LONELY = /(?<!\\)(?:\\[()[\]](?=\s|$)|\\[()[\]](?=\\))/g;

const COMMANDS: Readonly<Record<string, string>> = {
  times: '×',
  cdot: '×',
  ast: '×',
  div: '÷',
  pm: '±',
  mp: '±',
  le: '≤',
  leq: '≤',
  leqslant: '≤',
  ge: '≥',
  geq: '≥',
  geqslant: '≥',
  lt: '<',
  gt: '>',
  ne: '≠',
  neq: '≠',
  approx: '≈',
  sim: '≈',
  equiv: '=',
  infty: '∞',
  to: '→',
  rightarrow: '→',
  Rightarrow: '⇒',
  implies: '⇒',
  circ: '°',
  degree: '°',
  dots: '…',
  ldots: '…',
  cdots: '…',
  sum: '∑',
  int: '∫',
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  Delta: 'Δ',
  epsilon: 'ε',
  varepsilon: 'ε',
  theta: 'θ',
  lambda: 'λ',
  mu: 'μ',
  pi: 'π',
  rho: 'ρ',
  sigma: 'σ',
  Sigma: 'Σ',
  tau: 'τ',
  phi: 'φ',
  varphi: 'φ',
  omega: 'ω',
  Omega: 'Ω',
  sin: 'sin',
  cos: 'cos',
  tan: 'tan',
  log: 'log',
  ln: 'ln',
  lim: 'lim',
  min: 'min',
  max: 'max',
  left: '',
  right: '',
  big: '',
  Big: '',
  displaystyle: '',
  quad: ' ',
  qquad: ' ',
};
/** `\le` before a letter is another command: `\left`. */
const COMMAND = new RegExp(String.raw`\\(${Object.keys(COMMANDS).join('|')})(?![A-Za-z])`, 'g');
const OF_A_GROUP =
  /\\(?:text|textbf|textit|mathrm|mathbf|mathit|mathbb|boxed|operatorname|overline|vec|hat|bar)\{([^{}]*)\}/g;
const FRACTION = /\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}/g;
const ROOT = /\\sqrt(\[3\])?\{([^{}]*)\}/g;
const POWER = /\^\{([^{}]*)\}/g;
/** Commands that no other text has. */
const LATEX_COMMANDS = [
  '[dt]?frac|sqrt|text|mathrm|mathbf|boxed|times|cdot|div|pm|leq?|geq?|neq?|approx',
  'infty|pi|theta|alpha|beta|left|right|begin',
].join('|');
const SIGN_OF_LATEX = new RegExp(String.raw`\\(?:${LATEX_COMMANDS})(?![a-z])`);
const PATH = /[a-z]:\\|\\\\\w/i;
/** A group inside of a group: deeper ones are left as they are. */
const MAX_LEVELS = 6;

export function withoutLatex(text: string): string {
  if (!/[\\$]/.test(text)) return text;
  const undelimited = text
    .replaceAll(DELIMITED, (_, round?: string, square?: string, display?: string) =>
      formula(round ?? square ?? display ?? ''),
    )
    .replaceAll(BETWEEN_SIGNS, (whole, inside: string) => (FORMULA.test(inside) ? formula(inside) : whole))
    .replaceAll(LONELY, '');
  return SIGN_OF_LATEX.test(undelimited) && !PATH.test(undelimited) ? commands(undelimited) : undelimited;
}

/** @param math what is surely a formula. */
function formula(math: string): string {
  return commands(math)
    .replaceAll(/_\{([^{}]*)\}/g, ' $1')
    .replaceAll(/(?<=[\p{L}\d)])_(?=[\p{L}\d])/gu, ' ')
    .replaceAll(/[{}&]/g, ' ')
    .trim();
}

function commands(math: string): string {
  let plain = math.replaceAll(/\\(?:begin|end)\{[a-z*]*\}/g, ' ').replaceAll(/\\\\(?=\s|$)/g, ', ');
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const before = plain;
    plain = plain
      .replaceAll(OF_A_GROUP, '$1')
      .replaceAll(POWER, (_, power: string) => (power === '\\circ' ? '°' : `^${operand(power)}`))
      .replaceAll(ROOT, (_, cube: string | undefined, of: string) => (cube === undefined ? '√' : '∛') + operand(of))
      .replaceAll(FRACTION, (_, over: string, under: string) =>
        /^\d+$/.test(over) && /^\d+$/.test(under) ? `${over}/${under}` : `${operand(over)} / ${operand(under)}`,
      );
    if (plain === before) break;
  }
  return plain
    .replaceAll(/\^\\circ(?![A-Za-z])/g, '°')
    .replaceAll(COMMAND, (_, name: string) => spaced(COMMANDS[name] ?? ''))
    .replaceAll(/\\[,;:!]/g, ' ')
    .replaceAll(/\\([%$#&_{}])/g, '$1');
}

/** What stands between two operands has spaces around it. */
const spaced = (sign: string): string =>
  /^[×÷±≤≥<>≠≈=→⇒]$/u.test(sign) ? ` ${sign} ` : /^[a-z]+$/.test(sign) ? `${sign} ` : sign;

/** In brackets, unless it is one number or one word. */
function operand(text: string): string {
  const plain = text.trim();
  return /^-?[\p{L}\d.,]*$/u.test(plain) || /^\\[A-Za-z]+$/.test(plain) || /^[√∛]?\([^()]*\)$/.test(plain)
    ? plain
    : `(${plain})`;
}
