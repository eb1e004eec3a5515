import { elementsOf, type XmlElement, type XmlNode } from './xml.ts';
import { superscript } from './superscript.ts';

type Form = (first: string, second: string, third: string) => string;

const fraction: Form = (above, below) => `${bracketed(above)}/${bracketed(below)}`;
const power: Form = (base, exponent) => base + powerText(exponent);
const index: Form = (base, below) => `${base}_${bracketed(below)}`;
const both: Form = (base, below, above) => base + indexText(below) + (above === '' ? '' : powerText(above));
const named: Form = (name, of) => `${name} ${of}`;

/** Fractions, powers, indices, roots and sums of formulas, in Word's form and in MathML: their parts, in their order. */
const FORMS: Readonly<Record<string, Form>> = {
  f: fraction,
  mfrac: fraction,
  sSup: power,
  msup: power,
  sSub: index,
  msub: index,
  munder: index,
  limLow: index,
  sSubSup: both,
  msubsup: both,
  munderover: both,
  func: named,
  msqrt: (inner) => `√${bracketed(inner)}`,
  // The degree, which MathML has behind what it is the root of.
  mroot: (inner, degree) => `${superscript(degree)}√${bracketed(inner)}`,
};
/** Parts of Word's forms that are no text. */
const PROPERTIES = /Pr$/;

/** @returns null where the element is none of them. @param textOf of a part. */
export function formulaText(node: XmlElement, textOf: (node: XmlNode) => string): string | null {
  const name = plainName(node);
  const all = elementsOf(node);
  const parts = all.filter((part) => !PROPERTIES.test(part.name));
  const property = (key: string): string | undefined =>
    all
      .filter((part) => PROPERTIES.test(part.name))
      .flatMap((properties) => elementsOf(properties))
      .find((one) => plainName(one) === key)?.attribs['m:val'];
  // A root of Word's has its degree first, which may be empty.
  if (name === 'rad') return `√${bracketed(textOf(parts.at(-1) ?? node))}`;
  if (name === 'd')
    return (
      (property('begChr') ?? '(') + parts.map(textOf).join(property('sepChr') ?? '|') + (property('endChr') ?? ')')
    );
  if (name === 'nary')
    return `${both(property('chr') ?? '∫', ...limitsOf(parts, textOf))} ${textOf(parts.at(-1) ?? node)}`;
  if (name === 'm' || name === 'mtable')
    return `[${parts.map((row) => elementsOf(row).map(textOf).join(', ')).join('; ')}]`;
  const write = FORMS[name];
  if (write === undefined || parts.length === 0) return null;
  const [first = '', second = '', third = ''] = parts.slice(0, 3).map(textOf);
  return write(first, second, third);
}

const plainName = (node: XmlElement): string => node.name.replace(/^m:/, '');

/** Of a sum or an integral: from where, and until where. */
function limitsOf(parts: readonly XmlElement[], textOf: (node: XmlNode) => string): [below: string, above: string] {
  const of = (name: string): string => {
    const part = parts.find((one) => plainName(one) === name);
    return part === undefined ? '' : textOf(part);
  };
  return [of('sub'), of('sup')];
}

const bracketed = (text: string): string => (/^[\p{L}\p{N}.,]*$/u.test(text.trim()) ? text.trim() : `(${text.trim()})`);
const indexText = (text: string): string => (text === '' ? '' : `_${bracketed(text)}`);
const powerText = (text: string): string => {
  const small = superscript(text);
  return small === text ? `^${bracketed(text)}` : small;
};
