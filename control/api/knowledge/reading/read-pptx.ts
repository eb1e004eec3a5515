import { byNumber, linksOf, mainPart, openArchive, relationsOf } from './archive.ts';
import { type Block, sectionsOf } from './blocks.ts';
import { chartBlocks } from './chart.ts';
import { altText } from './alt-text.ts';
import { addressBehind } from './link-address.ts';
import { inSlideOrder, isTitle } from './slide-order.ts';
import { superscript } from './superscript.ts';
import type { Section } from './section.ts';
import { written } from './list-numbers.ts';
import { childrenOf, elementsOf, find, first, isElement, type XmlElement, type XmlNode } from './xml.ts';

const PRESENTATION = 'ppt/presentation.xml';

/** A presentation: one section for each slide, with the notes of its speaker. */
export async function* readPptx(bytes: Buffer): AsyncGenerator<Section> {
  const archive = await openArchive(bytes);
  const main = await mainPart(archive, PRESENTATION);
  const parts = await relationsOf(archive, main);
  const listed = [...find(await archive.xml(main), 'p:sldId')].map(({ attribs }) => parts.get(attribs['r:id'] ?? ''));
  // Without a list of them, they are numbered.
  const numbered = archive.names.filter((name) => /^ppt\/slides\/[^/]+\.xml$/.test(name)).toSorted(byNumber);
  const slides = listed.length > 0 ? listed.map((slide) => slide?.path) : numbered;
  for (const [index, slide] of slides.entries()) {
    if (slide === undefined) continue;
    const content = await archive.xml(slide);
    if (isHidden(content)) continue;
    const related = [...(await relationsOf(archive, slide)).values()];
    const of = async (kind: string): Promise<readonly XmlNode[]> => {
      const found = related.filter(({ type }) => type === kind);
      return (await Promise.all(found.map(({ path }) => archive.xml(path)))).flat();
    };
    const partsOf = async (kind: string): Promise<Block[]> => {
      const paths = related.filter(({ type }) => type === kind).map(({ path }) => path);
      const parts = paths.map(async (path) => blocksOf(await archive.xml(path), await linksOf(archive, path)));
      return (await Promise.all(parts)).flatMap((blocks) => [...blocks]);
    };
    const blocks = [
      ...blocksOf(content, await linksOf(archive, slide)),
      ...chartBlocks(await of('chart')),
      ...(await partsOf('diagramData')),
      ...(await partsOf('notesSlide')),
      ...(await of('comments')).flatMap(commentsIn),
    ];
    yield* sectionsOf(blocks, { page: index + 1 });
  }
}

/** As PowerPoint wrote them until 2021, and as it does since. */
const commentsIn = (node: XmlNode): Block[] => [
  ...[...find([node], 'p:text')].map((note): Block => ({ kind: 'paragraph', text: rawText(note) })),
  ...[...find([node], 'a:p')].map((note): Block => ({ kind: 'paragraph', text: paragraphText(note, new Map()) })),
];

/** Left out when the presentation is shown. */
function isHidden(slide: readonly XmlNode[]): boolean {
  return /^(0|false)$/.test(first(slide, 'p:sld')?.attribs['show'] ?? '');
}

/** Addresses that a slide links to, by the ids of their relations. */
type Links = ReadonlyMap<string, string>;

function* blocksOf(nodes: readonly XmlNode[], links: Links): Generator<Block> {
  for (const node of nodes) {
    if (!isElement(node) || node.name === 'mc:Fallback') continue;
    if (isHiddenShape(node)) continue;
    if (node.name === 'p:sp') yield* shape(node, links);
    else if (node.name === 'p:pic') yield { kind: 'paragraph', text: descriptionOf(node, links) };
    else if (node.name === 'a:tbl') yield tableOf(node, links);
    else if (node.name === 'a:p') yield { kind: 'paragraph', text: paragraphText(node, links) };
    else yield* blocksOf(node.name === 'p:spTree' ? inSlideOrder(childrenOf(node)) : childrenOf(node), links);
  }
}

/** Nobody sees a shape that was hidden, or a group with all that is in it. */
function isHiddenShape(node: XmlElement): boolean {
  const properties = elementsOf(node).find(({ name }) => /^p:nv\w*Pr$/.test(name));
  const own = properties && elementsOf(properties).find(({ name }) => name === 'p:cNvPr');
  return /^(1|true)$/.test(own?.attribs['hidden'] ?? '');
}

/** The number of the slide, its date and footer say nothing. */
const SAYS_NOTHING = /^(sldNum|dt|ftr|hdr|sldImg)$/;

function* shape(node: XmlElement, links: Links): Generator<Block> {
  const type = first(childrenOf(node), 'p:ph')?.attribs['type'] ?? '';
  if (SAYS_NOTHING.test(type)) return;
  const counts: number[] = [];
  const lines = [...find(childrenOf(node), 'a:p')]
    .map((paragraph) => ({ paragraph, text: paragraphText(paragraph, links) }))
    .filter(({ text }) => text.trim() !== '')
    .map(({ paragraph, text }) => numberOf(paragraph, counts) + text);
  // A button links as a whole.
  const own = first(childrenOf(node), 'p:cNvPr');
  if (isTitle(node)) yield { kind: 'heading', level: 1, text: linked(lines.join(' '), own, links) };
  else yield { kind: 'paragraph', text: linked(lines.join('\n'), own, links) };
}

/** Of a numbered paragraph. @param counts of the levels above it, and of its own. */
function numberOf(paragraph: XmlElement, counts: number[]): string {
  const properties = elementsOf(paragraph).find(({ name }) => name === 'a:pPr');
  const numbered = properties && elementsOf(properties).find(({ name }) => name === 'a:buAutoNum');
  const level = Number(properties?.attribs['lvl'] ?? 0);
  counts.length = Math.min(counts.length, level + (numbered === undefined ? 0 : 1));
  if (numbered === undefined) return '';
  const { type = '', startAt = '1' } = numbered.attribs;
  counts[level] = (counts[level] ?? Number(startAt) - 1) + 1;
  const format = /^(alpha|roman)(Lc|Uc)/.exec(type);
  const letter = { alphaLc: 'a', alphaUc: 'A', romanLc: 'i', romanUc: 'I' }[format?.[0] ?? ''] ?? '1';
  return `${written(counts[level], letter)}${/Paren/.test(type) ? ')' : '.'} `;
}

const rawText = (node: XmlElement): string =>
  childrenOf(node)
    .map((child) => ('data' in child ? child.data : ''))
    .join('');

/** Words with the address that they link to. @param node that may say so. */
function linked(words: string, node: XmlNode | undefined, links: Links): string {
  const link = node === undefined ? undefined : first(childrenOf(node), 'a:hlinkClick');
  return words + addressBehind(words, links.get(link?.attribs['r:id'] ?? ''));
}

/** What a picture shows, in words. */
function descriptionOf(picture: XmlElement, links: Links): string {
  const own = first(childrenOf(picture), 'p:cNvPr');
  return linked(altText(own?.attribs['descr']), own, links);
}

function tableOf(table: XmlElement, links: Links): Block {
  const rows = elementsOf(table).filter(({ name }) => name === 'a:tr');
  const cells: string[][] = [];
  for (const row of rows) {
    const texts: string[] = [];
    for (const cell of elementsOf(row).filter(({ name }) => name === 'a:tc')) {
      const own = [...find(childrenOf(cell), 'a:p')].map((paragraph) => paragraphText(paragraph, links)).join(' ');
      // A value that stands beside several rows holds for each of them.
      const above = cell.attribs['vMerge'] === '1' ? cells.at(-1)?.[texts.length] : undefined;
      texts.push(above ?? own);
    }
    cells.push(texts);
  }
  return {
    kind: 'table',
    rows: cells,
    hasHeader: first(childrenOf(table), 'a:tblPr')?.attribs['firstRow'] === '1' || null,
  };
}

function paragraphText(node: XmlNode, links: Links): string {
  if (!isElement(node)) return '';
  if (node.name === 'a:t')
    return childrenOf(node)
      .map((child) => ('data' in child ? child.data : ''))
      .join('');
  if (node.name === 'a:br') return '\n';
  if (node.name === 'a:pPr' || node.name === 'a:rPr') return '';
  const text = childrenOf(node)
    .map((child) => paragraphText(child, links))
    .join('');
  if (node.name !== 'a:r') return text;
  const properties = elementsOf(node).find(({ name }) => name === 'a:rPr');
  // What is struck through does not hold any more.
  if (/^(sngStrike|dblStrike)$/.test(properties?.attribs['strike'] ?? '')) return '';
  return linked(Number(properties?.attribs['baseline'] ?? 0) > 0 ? superscript(text) : text, properties, links);
}
