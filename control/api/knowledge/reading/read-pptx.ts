import { openArchive, relationsOf } from './archive.ts';
import { type Block, sectionsOf } from './blocks.ts';
import { chartBlocks } from './chart.ts';
import { altText } from './alt-text.ts';
import type { Section } from './section.ts';
import { childrenOf, elementsOf, find, first, isElement, type XmlElement, type XmlNode } from './xml.ts';

const PRESENTATION = 'ppt/presentation.xml';

/** A presentation: one section for each slide, with the notes of its speaker. */
export async function* readPptx(bytes: Buffer): AsyncGenerator<Section> {
  const archive = await openArchive(bytes);
  const parts = await relationsOf(archive, PRESENTATION);
  const slides = [...find(await archive.xml(PRESENTATION), 'p:sldId')].map(({ attribs }) =>
    parts.get(attribs['r:id'] ?? ''),
  );
  for (const [index, slide] of slides.entries()) {
    if (slide === undefined) continue;
    const content = await archive.xml(slide.path);
    if (isHidden(content)) continue;
    const related = [...(await relationsOf(archive, slide.path)).values()];
    const of = async (kind: string): Promise<readonly XmlNode[]> => {
      const found = related.filter(({ type }) => type === kind);
      return (await Promise.all(found.map(({ path }) => archive.xml(path)))).flat();
    };
    const blocks = [
      ...blocksOf(content),
      ...chartBlocks(await of('chart')),
      ...blocksOf(await of('diagramData')),
      ...blocksOf(await of('notesSlide')),
    ];
    yield* sectionsOf(blocks, { page: index + 1 });
  }
}

/** Left out when the presentation is shown. */
function isHidden(slide: readonly XmlNode[]): boolean {
  return /^(0|false)$/.test(first(slide, 'p:sld')?.attribs['show'] ?? '');
}

function* blocksOf(nodes: readonly XmlNode[]): Generator<Block> {
  for (const node of nodes) {
    if (!isElement(node) || node.name === 'mc:Fallback') continue;
    if (node.name === 'p:sp') yield* shape(node);
    else if (node.name === 'p:pic') yield { kind: 'paragraph', text: descriptionOf(node) };
    else if (node.name === 'a:tbl') yield tableOf(node);
    else if (node.name === 'a:p') yield { kind: 'paragraph', text: paragraphText(node) };
    else yield* blocksOf(childrenOf(node));
  }
}

/** The number of the slide, its date and footer say nothing. */
const SAYS_NOTHING = /^(sldNum|dt|ftr|hdr|sldImg)$/;

function* shape(node: XmlElement): Generator<Block> {
  const type = first(childrenOf(node), 'p:ph')?.attribs['type'] ?? '';
  if (SAYS_NOTHING.test(type)) return;
  const lines = [...find(childrenOf(node), 'a:p')].map(paragraphText);
  if (/^(title|ctrTitle)$/.test(type)) yield { kind: 'heading', level: 1, text: lines.join(' ') };
  else yield { kind: 'paragraph', text: lines.filter((line) => line.trim() !== '').join('\n') };
}

/** What a picture shows, in words. */
const descriptionOf = (picture: XmlElement): string => altText(first(childrenOf(picture), 'p:cNvPr')?.attribs['descr']);

function tableOf(table: XmlElement): Block {
  const rows = elementsOf(table).filter(({ name }) => name === 'a:tr');
  const cells = rows.map((row) =>
    elementsOf(row)
      .filter(({ name }) => name === 'a:tc')
      .map((cell) => [...find(childrenOf(cell), 'a:p')].map(paragraphText).join(' ')),
  );
  return {
    kind: 'table',
    rows: cells,
    hasHeader: first(childrenOf(table), 'a:tblPr')?.attribs['firstRow'] === '1' || null,
  };
}

function paragraphText(node: XmlNode): string {
  if (!isElement(node)) return '';
  if (node.name === 'a:t')
    return childrenOf(node)
      .map((child) => ('data' in child ? child.data : ''))
      .join('');
  if (node.name === 'a:br') return '\n';
  if (node.name === 'a:pPr' || node.name === 'a:rPr') return '';
  return childrenOf(node).map(paragraphText).join('');
}
