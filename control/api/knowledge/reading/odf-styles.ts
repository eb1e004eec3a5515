import { written } from './list-numbers.ts';
import { elementsOf, find, first, type XmlElement, type XmlNode } from './xml.ts';

/** What the styles of an OpenDocument say of its parts. */
export interface OdfStyles {
  /** Whether its text is not shown, or is struck through; null where no style says so. */
  hides(style: string): boolean | null;
  isRaised(style: string): boolean;
  isTitle(style: string): boolean;
  /** Sheets, slides and columns that are left out when the document is shown. */
  isLeftOut(style: string): boolean;
  readonly lists: ReadonlyMap<string, ListLevels>;
  /** Of the headings. */
  readonly outline: ListLevels;
}

/** Formats of numbers by level; bullets have none. */
type ListLevels = ReadonlyMap<number, ListLevel>;

interface ListLevel {
  readonly format: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly start: number;
  /** Levels that are told: 1.2.3 has three. */
  readonly told: number;
}

/** Styles have parents, in a circle where a file is damaged. */
const MAX_PARENTS = 16;

export function odfStyles(nodes: readonly XmlNode[]): OdfStyles {
  const styles = new Map([...find(nodes, 'style:style')].map((style) => [style.attribs['style:name'] ?? '', style]));
  function* chainOf(name: string): Generator<XmlElement> {
    let style = styles.get(name);
    for (let parents = 0; style !== undefined && parents < MAX_PARENTS; parents += 1) {
      yield style;
      style = styles.get(style.attribs['style:parent-style-name'] ?? '');
    }
  }
  /** What a style says first, from itself on to its parents. */
  const said = (name: string, ...attributes: readonly string[]): string | undefined => {
    for (const style of chainOf(name))
      for (const { attribs } of elementsOf(style)) {
        const found = attributes.map((attribute) => attribs[attribute]).find((value) => value !== undefined);
        if (found !== undefined) return found;
      }
    return undefined;
  };
  return {
    hides: (name) => {
      const display = said(name, 'text:display');
      const line = said(name, 'style:text-line-through-style', 'style:text-line-through-type');
      return display === undefined && line === undefined
        ? null
        : display === 'none' || (line !== undefined && line !== 'none');
    },
    isRaised: (name) => /^(super|[1-9]\d*%)/.test(said(name, 'style:text-position') ?? ''),
    isTitle: (name) =>
      name === 'Title' || [...chainOf(name)].some(({ attribs }) => attribs['style:parent-style-name'] === 'Title'),
    isLeftOut: (name) => said(name, 'table:display') === 'false' || said(name, 'presentation:visibility') === 'hidden',
    lists: new Map([...find(nodes, 'text:list-style')].map((style) => [style.attribs['style:name']!, levelsOf(style)])),
    outline: levelsOf(first(nodes, 'text:outline-style')),
  };
}

function levelsOf(style: XmlElement | undefined): ListLevels {
  const levels = style === undefined ? [] : elementsOf(style);
  return new Map(
    levels
      .filter(({ name }) => /^text:(list-level-style-number|outline-level-style)$/.test(name))
      .filter(({ attribs }) => (attribs['style:num-format'] ?? '1') !== '')
      .map(({ name, attribs }) => [
        Number(attribs['text:level']),
        {
          format: attribs['style:num-format'] ?? '1',
          prefix: attribs['style:num-prefix'] ?? '',
          suffix: attribs['style:num-suffix'] ?? (name === 'text:outline-level-style' ? '' : '.'),
          start: Number(attribs['text:start-value'] ?? 1),
          told: Number(attribs['text:display-levels'] ?? 1),
        },
      ]),
  );
}

/** "(2) ", "1.3. ". @param counts of the levels above it and of its own. @returns '' where the level has no numbers. */
export function numberText(levels: ListLevels | undefined, level: number, counts: readonly number[]): string {
  const own = levels?.get(level);
  if (own === undefined) return '';
  const numbers: string[] = [];
  for (let at = Math.max(1, level - own.told + 1); at <= level; at += 1) {
    const shown = levels!.get(at);
    // Levels without numbers of their own are left out.
    if (shown !== undefined) numbers.push(written(counts[at - 1] ?? shown.start, shown.format));
  }
  return `${own.prefix}${numbers.join('.')}${own.suffix} `;
}
