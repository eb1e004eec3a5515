import { addressBehind, addressInField } from './link-address.ts';
import { childrenOf, elementsOf, isElement, type XmlElement, type XmlNode } from './xml.ts';

/** A field whose end has not come yet. */
interface Field {
  code: string;
  /** Where in the text it begins, once that is known: behind the run with its mark. */
  begin: number | null;
  /** Where its words begin; null while its code goes on. */
  from: number | null;
}

/**
 * The texts of a paragraph's parts, one behind the other, with the addresses of links that are fields: their beginning,
 * their code, their words and their end stand in runs of their own. The code may have fields: `IF { sex } = "f" …` shows
 * one of its words, and not what it asks for.
 */
export function textOfParts(parts: readonly XmlNode[], textOf: (part: XmlNode) => string): string {
  let text = '';
  const fields: Field[] = [];
  for (const part of parts) {
    const marks = isElement(part) && part.name === 'w:r' ? elementsOf(part) : [];
    for (const mark of marks) text = begin(fields, mark, text);
    text += textOf(part);
    for (const field of fields) field.begin ??= text.length;
    for (const mark of marks) {
      if (kindOf(mark) !== 'end') continue;
      const { code, from } = fields.pop() ?? { code: '', from: null };
      if (from !== null) text += addressBehind(text.slice(from), addressInField(code));
    }
  }
  return text;
}

/** @returns the text without what stands in the code of a field that has ended. */
function begin(fields: Field[], mark: XmlElement, text: string): string {
  const field = fields.at(-1);
  if (kindOf(mark) === 'begin') fields.push({ code: '', begin: null, from: null });
  else if (field === undefined) return text;
  else if (kindOf(mark) === 'separate') {
    field.from = field.begin ?? text.length;
    return field.from === text.length ? text : text.slice(0, field.from);
  } else if (mark.name === 'w:instrText' && field.from === null)
    field.code += childrenOf(mark)
      .map((child) => ('data' in child ? child.data : ''))
      .join('');
  return text;
}

const kindOf = (mark: XmlElement): string => (mark.name === 'w:fldChar' ? (mark.attribs['w:fldCharType'] ?? '') : '');
