import { elementsOf, isElement, type XmlElement, type XmlNode } from './xml.ts';
import { superscript } from './superscript.ts';

/** Fractions, powers, indices and roots of formulas, in Word's form and in MathML: their parts, in their order. */
const FORMS: Readonly<Record<string, (first: string, second: string) => string>> = {
  f: (above, below) => `${bracketed(above)}/${bracketed(below)}`,
  mfrac: (above, below) => `${bracketed(above)}/${bracketed(below)}`,
  sSup: (base, power) => base + powerText(power),
  msup: (base, power) => base + powerText(power),
  sSub: (base, index) => `${base}_${bracketed(index)}`,
  msub: (base, index) => `${base}_${bracketed(index)}`,
  msqrt: (inner) => `√${bracketed(inner)}`,
};
/** Parts of Word's forms that are no text. */
const PROPERTIES = /Pr$/;

/** @returns null where the element is none of them. @param textOf of a part. */
export function formulaText(node: XmlElement, textOf: (node: XmlNode) => string): string | null {
  const name = node.name.replace(/^m:/, '');
  const parts = elementsOf(node).filter((part) => isElement(part) && !PROPERTIES.test(part.name));
  // A root of Word's has its degree first, which may be empty.
  if (name === 'rad') return `√${bracketed(textOf(parts.at(-1) ?? node))}`;
  const write = FORMS[name];
  if (write === undefined || parts.length === 0) return null;
  return write(...(parts.slice(0, 2).map(textOf) as [string, string]));
}

const bracketed = (text: string): string => (/^[\p{L}\p{N}.,]*$/u.test(text.trim()) ? text.trim() : `(${text.trim()})`);
const powerText = (text: string): string => {
  const small = superscript(text);
  return small === text ? `^${bracketed(text)}` : small;
};
