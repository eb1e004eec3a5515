import { childrenOf, elementsOf, find, first, isElement, type XmlElement, type XmlNode } from './xml.ts';

/** One level of a Word list. */
interface Level {
  readonly format: string;
  /** `%1.%2.` */
  readonly text: string;
  readonly start: number;
}

/**
 * Counts the numbered paragraphs of a Word document as Word does: a list goes on after a paragraph between, and levels
 * below begin again. @returns a function that gives the number of the next paragraph, or '' where it has none.
 */
export function wordNumbers(
  numbering: readonly XmlNode[],
  styles: readonly XmlNode[],
): (paragraph: XmlElement) => string {
  const abstracts = new Map(
    [...find(numbering, 'w:abstractNum')].map((list) => [list.attribs['w:abstractNumId']!, levelsOf(list)]),
  );
  const lists = new Map<string, { id: string; levels: Map<number, Level> }>();
  for (const list of find(numbering, 'w:num')) {
    const id = valueOf(childNamed(list, 'w:abstractNumId'))!;
    const overridden = [...find(childrenOf(list), 'w:lvlOverride')].flatMap((one) => {
      const start = valueOf(childNamed(one, 'w:startOverride'));
      return start === undefined ? [] : [[Number(one.attribs['w:ilvl']), Number(start)] as const];
    });
    const levels = new Map(abstracts.get(id));
    for (const [level, start] of overridden) {
      const before = levels.get(level);
      if (before !== undefined) levels.set(level, { ...before, start });
    }
    // A list that begins again counts on its own.
    lists.set(list.attribs['w:numId']!, { id: overridden.length > 0 ? `n${list.attribs['w:numId']}` : id, levels });
  }
  const byStyle = new Map(
    [...find(styles, 'w:style')].map((style) => [style.attribs['w:styleId']!, first(childrenOf(style), 'w:numPr')]),
  );
  const counters = new Map<string, number[]>();
  return (paragraph) => {
    const properties = childNamed(paragraph, 'w:pPr');
    const own = properties === undefined ? undefined : childNamed(properties, 'w:numPr');
    const style = valueOf(properties === undefined ? undefined : childNamed(properties, 'w:pStyle'));
    const numbered = own ?? byStyle.get(style ?? '');
    if (numbered === undefined) return '';
    const list = lists.get(valueOf(childNamed(numbered, 'w:numId')) ?? '');
    const at = Number(valueOf(childNamed(numbered, 'w:ilvl')) ?? 0);
    const level = list?.levels.get(at);
    if (list === undefined || level === undefined) return '';
    if (level.format === 'bullet' || level.format === 'none') return level.format === 'bullet' ? '- ' : '';
    const counter = counters.get(list.id) ?? [];
    counters.set(list.id, counter);
    counter.length = Math.max(counter.length, at);
    counter[at] = (counter[at] ?? level.start - 1) + 1;
    counter.length = at + 1;
    return `${level.text.replaceAll(/%(\d)/g, (_, digit: string) => {
      const index = Number(digit) - 1;
      const shown = list.levels.get(index);
      return written(counter[index] ?? shown?.start ?? 1, shown?.format ?? 'decimal');
    })} `;
  };
}

function levelsOf(list: XmlElement): Map<number, Level> {
  return new Map(
    elementsOf(list)
      .filter(({ name }) => name === 'w:lvl')
      .map((level) => [
        Number(level.attribs['w:ilvl']),
        {
          format: valueOf(childNamed(level, 'w:numFmt')) ?? 'decimal',
          text: valueOf(childNamed(level, 'w:lvlText')) ?? '',
          start: Number(valueOf(childNamed(level, 'w:start')) ?? 1),
        },
      ]),
  );
}

const childNamed = (parent: XmlNode, name: string): XmlElement | undefined =>
  childrenOf(parent).find((child): child is XmlElement => isElement(child) && child.name === name);
const valueOf = (element: XmlElement | undefined): string | undefined => element?.attribs['w:val'];

/** A number as lists write it. */
export function written(value: number, format: string): string {
  if (/letter|^a$/i.test(format) && value > 0) {
    const letter = String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
    return /^upper|^A$/.test(format) ? letter.toUpperCase() : letter;
  }
  if (/roman|^i$/i.test(format) && value > 0 && value < 4000)
    return /^upper|^I$/.test(format) ? roman(value).toUpperCase() : roman(value);
  return format === 'decimalZero' ? String(value).padStart(2, '0') : String(value);
}

const ROMAN = [
  ...([
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
  ] as const),
  ...([
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ] as const),
];

function roman(value: number): string {
  let rest = value;
  let text = '';
  for (const [worth, letters] of ROMAN) {
    while (rest >= worth) {
      text += letters;
      rest -= worth;
    }
  }
  return text;
}
