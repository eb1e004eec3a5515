import { openArchive, relationsOf } from './archive.ts';
import { type Block, sectionsOf } from './blocks.ts';
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
    const related = [...(await relationsOf(archive, slide.path)).values()];
    const notes = related.find(({ type }) => type === 'notesSlide');
    const blocks = [
      ...blocksOf(await archive.xml(slide.path)),
      ...(notes === undefined ? [] : blocksOf(await archive.xml(notes.path))),
    ];
    yield* sectionsOf(blocks, { page: index + 1 });
  }
}

function* blocksOf(nodes: readonly XmlNode[]): Generator<Block> {
  for (const node of nodes) {
    if (!isElement(node) || node.name === 'mc:Fallback') continue;
    if (node.name === 'p:sp') yield* shape(node);
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
