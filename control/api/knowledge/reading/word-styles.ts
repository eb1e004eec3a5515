import { elementsOf, find, type XmlElement, type XmlNode } from './xml.ts';

/** What the styles of a Word document say of those who have them. */
export interface WordStyles {
  /** Of headings; null of other paragraphs, undefined where no style says so. */
  levelOf(paragraph: XmlElement): number | null | undefined;
  /** Of the list that its paragraphs are numbered by. */
  numberingOf(style: string): XmlElement | undefined;
  /** Whether Word does not show it, or shows it struck through. @param style of a paragraph or of characters. */
  hides(style: string): boolean;
  /** Whether it is one of a table of contents: the headings stand in the text as well. */
  isOfContents(style: string): boolean;
}

/** As programs in other languages than English name them; Word itself names them in English in each. */
const HEADING =
  /^(?:heading|Überschrift|Titre|Título|Titolo|Kop|Rubrik|Overskrift|Otsikko|Nagłówek|Nadpis|Заголовок|見出し|标题|標題|제목) ?(\d)$/i;
/** Styles are based on one another, in a circle where a file is damaged. */
const MAX_BASES = 16;
/** Levels below are numbered, not said. */
const MAX_LEVEL = 6;

/** A style is what it says, and what the one says that it is based on. */
export function wordStyles(nodes: readonly XmlNode[]): WordStyles {
  const styles = new Map([...find(nodes, 'w:style')].map((style) => [style.attribs['w:styleId'] ?? '', style]));
  /** What a style says first, from itself on to those that it is based on. */
  const inherited = <T>(id: string, said: (style: XmlElement) => T | undefined): T | undefined => {
    let style = styles.get(id);
    for (let bases = 0; style !== undefined && bases < MAX_BASES; bases += 1) {
      const found = said(style);
      if (found !== undefined) return found;
      style = styles.get(valueOf(style, 'w:basedOn') ?? '');
    }
    return undefined;
  };
  return {
    levelOf: (paragraph) => {
      const properties = propertiesOf(paragraph);
      const id = properties === undefined ? '' : (valueOf(properties, 'w:pStyle') ?? '');
      const own = properties === undefined ? undefined : outlineOf(properties);
      if (own !== undefined) return own;
      // Files without styles still name them.
      if (/^title$/i.test(nameOf(styles.get(id)))) return 1;
      return styles.has(id) ? inherited(id, levelOf) : Number(/^Heading([1-6])$/.exec(id)?.[1] ?? -1) + 1 || undefined;
    },
    numberingOf: (id) =>
      inherited(id, (style) => {
        const properties = propertiesOf(style);
        return properties && elementsOf(properties).find(({ name }) => name === 'w:numPr');
      }),
    hides: (id) => inherited(id, hidesText) === true,
    isOfContents: (id) => /^(toc \d|toc heading|table of figures)$/i.test(nameOf(styles.get(id))),
  };
}

/** The title of a document, on which the one of its author is based, stands above its headings of the first level. */
function levelOf(style: XmlElement): number | null | undefined {
  const level = Number(HEADING.exec(nameOf(style))?.[1] ?? Number.NaN);
  if (level >= 1 && level <= MAX_LEVEL) return level + 1;
  const properties = propertiesOf(style);
  return properties === undefined ? undefined : outlineOf(properties);
}

/** 9 is what text has. */
function outlineOf(properties: XmlElement): number | null | undefined {
  const outline = valueOf(properties, 'w:outlineLvl');
  if (outline === undefined) return undefined;
  return Number(outline) < MAX_LEVEL ? Number(outline) + 2 : null;
}

function hidesText(style: XmlElement): boolean | undefined {
  const properties = elementsOf(style).find(({ name }) => name === 'w:rPr');
  return properties === undefined ? undefined : hidesIts(properties);
}

/** Of the properties of a run: text that Word does not show, or that does not hold any more. */
export function hidesIts(properties: XmlElement): boolean | undefined {
  const said = elementsOf(properties).filter(({ name }) => /^w:(vanish|strike|dstrike)$/.test(name));
  return said.length === 0 ? undefined : said.some(isOn);
}

export const isOn = ({ attribs }: XmlElement): boolean => !/^(0|false|off)$/.test(attribs['w:val'] ?? '');

const nameOf = (style: XmlElement | undefined): string => (style && valueOf(style, 'w:name')) ?? '';

/** Its own: what changes were tracked of it stands further inside. */
const propertiesOf = (element: XmlElement): XmlElement | undefined =>
  elementsOf(element).find(({ name }) => name === 'w:pPr');

const valueOf = (element: XmlElement, name: string): string | undefined =>
  elementsOf(element).find((child) => child.name === name)?.attribs['w:val'];
