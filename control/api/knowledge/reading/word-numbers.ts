import { written } from './list-numbers.ts';
import type { WordStyles } from './word-styles.ts';
import { childrenOf, elementsOf, find, isElement, type XmlElement, type XmlNode } from './xml.ts';

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
  styles: Pick<WordStyles, 'numberingOf'>,
): (paragraph: XmlElement) => string {
  const all = [...find(numbering, 'w:abstractNum')];
  const abstracts = new Map(all.map((list) => [list.attribs['w:abstractNumId']!, levelsOf(list)]));
  const told = new Map(all.map((list) => [valueOf(childNamed(list, 'w:styleLink')), list.attribs['w:abstractNumId']!]));
  /** A list may be the one of a style, which another list says to be its own. */
  const ofStyle = new Map(
    all.flatMap((list) => {
      const style = valueOf(childNamed(list, 'w:numStyleLink'));
      const id = style === undefined ? undefined : told.get(style);
      return id === undefined ? [] : [[list.attribs['w:abstractNumId']!, id] as const];
    }),
  );
  const lists = new Map<string, { id: string; levels: Map<number, Level> }>();
  for (const list of find(numbering, 'w:num')) {
    const own = valueOf(childNamed(list, 'w:abstractNumId'))!;
    const id = ofStyle.get(own) ?? own;
    const overrides = [...find(childrenOf(list), 'w:lvlOverride')];
    const overridden = overrides.flatMap((one) => {
      const start = valueOf(childNamed(one, 'w:startOverride'));
      return start === undefined ? [] : [[Number(one.attribs['w:ilvl']), Number(start)] as const];
    });
    const levels = new Map([...(abstracts.get(id) ?? []), ...overrides.flatMap((one) => [...levelsOf(one)])]);
    for (const [level, start] of overridden) {
      const before = levels.get(level);
      if (before !== undefined) levels.set(level, { ...before, start });
    }
    // A list that begins again counts on its own.
    lists.set(list.attribs['w:numId']!, { id: overridden.length > 0 ? `n${list.attribs['w:numId']}` : id, levels });
  }
  const counters = new Map<string, number[]>();
  return (paragraph) => {
    const properties = childNamed(paragraph, 'w:pPr');
    const own = properties === undefined ? undefined : childNamed(properties, 'w:numPr');
    const style = valueOf(properties === undefined ? undefined : childNamed(properties, 'w:pStyle'));
    /** Its own, and of the rest what its style says. */
    const numbered = [own, styles.numberingOf(style ?? '')].filter((one) => one !== undefined);
    const said = (name: string): string | undefined =>
      numbered.map((one) => valueOf(childNamed(one, name))).find((value) => value !== undefined);
    const list = lists.get(said('w:numId') ?? '');
    const at = Number(said('w:ilvl') ?? 0);
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
