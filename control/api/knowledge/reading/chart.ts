import type { Block } from './blocks.ts';
import type { Row } from './row.ts';
import { childrenOf, find, first, type XmlElement, type XmlNode } from './xml.ts';

/** A chart of an Office document as the table that it was drawn from: its values are nowhere else in the text. */
export function* chartBlocks(nodes: readonly XmlNode[]): Generator<Block> {
  const title = first(nodes, 'c:title');
  if (title !== undefined) yield { kind: 'paragraph', text: textsOf(title, 'a:t').join('') };
  const series = [...find(nodes, 'c:ser')].map((one) => ({
    name: pointsOf(one, 'c:tx').join(' '),
    categories: pointsOf(one, first(childrenOf(one), 'c:cat') === undefined ? 'c:xVal' : 'c:cat'),
    values: pointsOf(one, first(childrenOf(one), 'c:val') === undefined ? 'c:yVal' : 'c:val'),
  }));
  const categories = series[0]?.categories ?? [];
  const header: Row = ['', ...series.map(({ name }) => name)];
  const rows = categories.map((category, at) => [category, ...series.map(({ values }) => values[at] ?? '')]);
  if (rows.length > 0) yield { kind: 'table', rows: [header, ...rows], hasHeader: true };
}

/** The values that the document keeps of the table behind the chart. */
function pointsOf(series: XmlElement, name: string): string[] {
  const part = first(childrenOf(series), name);
  return part === undefined ? [] : textsOf(part, 'c:v');
}

function textsOf(node: XmlElement, name: string): string[] {
  return [...find(childrenOf(node), name)].map((found) =>
    childrenOf(found)
      .map((child) => ('data' in child ? child.data : ''))
      .join(''),
  );
}
