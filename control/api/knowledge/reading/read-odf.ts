import { openArchive, PROTECTED } from './archive.ts';
import { decodeText } from './decode-text.ts';
import { type Block, sectionsOf } from './blocks.ts';
import type { Section } from './section.ts';
import { numberText, type OdfStyles, odfStyles } from './odf-styles.ts';
import { type CellReader, odfRows } from './odf-table.ts';
import { odfText, shapesIn } from './odf-text.ts';
import { readRows } from './read-rows.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';
import { childrenOf, elementsOf, find, first, isElement, parseXml, type XmlElement, type XmlNode } from './xml.ts';

const ZIP = Buffer.from('PK\x03\x04');

/** Texts (ODT), spreadsheets (ODS) and presentations (ODP) of LibreOffice and others, also as one file of XML (FODT). */
export async function* readOdf(bytes: Buffer): AsyncGenerator<Section> {
  if (!bytes.subarray(0, 4).equals(ZIP)) return yield* contentOf(parseXml(decodeText(bytes).text), []);
  const archive = await openArchive(bytes);
  if (first(await archive.xml('META-INF/manifest.xml'), 'manifest:encryption-data') !== undefined)
    throw new UnreadableDocumentError(PROTECTED);
  const content = await archive.xml('content.xml');
  const styles = await archive.xml('styles.xml');
  yield* contentOf(content, styles);
}

function* contentOf(content: readonly XmlNode[], styles: readonly XmlNode[]): Generator<Section> {
  const reader = new OdfReader(odfStyles([...content, ...styles]));
  const spreadsheet = first(content, 'office:spreadsheet');
  if (spreadsheet !== undefined) {
    const sheets = [...find(childrenOf(spreadsheet), 'table:table')];
    const shown = sheets.filter((sheet) => !reader.styles.isLeftOut(sheet.attribs['table:style-name'] ?? ''));
    for (const sheet of shown.length > 0 ? shown : sheets)
      yield* readRows(odfRows(sheet, reader), sheet.attribs['table:name'] ?? '');
    return;
  }
  for (const [index, slide] of [...find(content, 'draw:page')].entries())
    if (!reader.styles.isLeftOut(slide.attribs['draw:style-name'] ?? ''))
      yield* sectionsOf(reader.blocks(childrenOf(slide)), { page: index + 1 });
  const text = first(content, 'office:text');
  if (text === undefined) return;
  const edges = ['style:header', 'style:footer'].map((name) =>
    [...find(styles, name)].flatMap((edge) => [...reader.blocks(childrenOf(edge))]),
  );
  yield* sectionsOf([...edges[0]!, ...reader.blocks(childrenOf(text)), ...edges[1]!]);
}

/** What is not shown, and a table of contents: its headings stand in the text as well. */
const SKIPPED = /^(text:(tracked-changes|table-of-content|illustration-index|table-index)|office:forms)$/;

class OdfReader implements CellReader {
  readonly styles: OdfStyles;
  /** Of headings, by their levels. */
  readonly #headings: number[] = [];
  /** Of lists that others go on from, by the names of their styles and their own. */
  readonly #lists = new Map<string, number[]>();

  constructor(styles: OdfStyles) {
    this.styles = styles;
  }

  *blocks(nodes: readonly XmlNode[]): Generator<Block> {
    for (const node of nodes) {
      if (!isElement(node) || SKIPPED.test(node.name) || node.attribs['text:display'] === 'none') continue;
      if (node.name === 'text:h' || node.name === 'text:p') yield* this.#paragraph(node);
      else if (node.name === 'text:list') yield* this.#list(node);
      else if (node.name === 'table:table') {
        const hasHeader = first(childrenOf(node), 'table:table-header-rows') !== undefined || null;
        yield { kind: 'table', rows: [...odfRows(node, this)], hasHeader };
      } else yield* this.blocks(childrenOf(node));
    }
  }

  textOf(parts: readonly XmlNode[]): string {
    return [...this.blocks(parts)].map((block) => ('text' in block ? block.text : '')).join('\n');
  }

  *#paragraph(node: XmlElement): Generator<Block> {
    const style = node.attribs['text:style-name'] ?? '';
    const text = this.styles.hides(style) === true ? '' : odfText(node, this.styles);
    // The title of a document stands above its headings of the first level.
    if (node.name === 'text:h') {
      const level = Number(node.attribs['text:outline-level'] ?? 1);
      yield { kind: 'heading', level: level + 1, text: this.#headingNumber(node, level) + text };
    } else if (this.styles.isTitle(style)) yield { kind: 'heading', level: 1, text };
    else yield { kind: 'paragraph', text };
    for (const shape of shapesIn(childrenOf(node))) yield* this.blocks(childrenOf(shape));
  }

  #headingNumber(node: XmlElement, level: number): string {
    const numbers = this.styles.outline.get(level);
    if (numbers === undefined || node.attribs['text:is-list-header'] === 'true') return '';
    this.#headings[level - 1] = (this.#headings[level - 1] ?? numbers.start - 1) + 1;
    this.#headings.length = level;
    return numberText(this.styles.outline, level, this.#headings);
  }

  *#list(list: XmlElement): Generator<Block> {
    const style = list.attribs['text:style-name'] ?? '';
    const before = this.#lists.get(list.attribs['text:continue-list'] ?? '');
    const goesOn = before ?? (list.attribs['text:continue-numbering'] === 'true' ? this.#lists.get(style) : undefined);
    const counts = [...(goesOn ?? [])];
    yield* this.#items(list, style, 1, counts);
    for (const name of [style, list.attribs['xml:id']]) if (name !== undefined) this.#lists.set(name, counts);
  }

  /** @param counts of the levels above, which get one for this level. */
  *#items(list: XmlElement, style: string, level: number, counts: number[]): Generator<Block> {
    const numbers = this.styles.lists.get(style);
    for (const item of elementsOf(list)) {
      const isItem = item.name === 'text:list-item';
      if (isItem) {
        const next = (counts[level - 1] ?? (numbers?.get(level)?.start ?? 1) - 1) + 1;
        counts.length = Math.max(level - 1, 0);
        counts[level - 1] = Number(item.attribs['text:start-value'] ?? next);
      }
      // A heading in a list has the number of its level.
      let mark = isItem ? numberText(numbers, level, counts) || '- ' : '';
      for (const child of elementsOf(item)) {
        if (child.name === 'text:list') {
          yield* this.#items(child, child.attribs['text:style-name'] ?? style, level + 1, counts);
          continue;
        }
        for (const block of this.blocks([child])) {
          yield block.kind === 'paragraph' ? { ...block, text: mark + block.text } : block;
          mark = '';
        }
      }
    }
  }
}
