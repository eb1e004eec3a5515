import { elementsOf, first, isElement, type XmlElement, type XmlNode } from './xml.ts';

/** Where a shape stands on its slide, in units of Office. */
interface Place {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What is said of the slide as a whole. */
const PROPERTIES = /Pr$/;
/** More are a drawing. */
const MAX_SHAPES = 200;

/**
 * The shapes of a slide as somebody reads them: its title first. The others stay in the order in which they were made,
 * unless one of them stands above another that comes before it: then from top to bottom, and from left to right.
 */
export function inSlideOrder(nodes: readonly XmlNode[]): readonly XmlNode[] {
  const shapes = nodes.filter(isElement).filter(({ name }) => !PROPERTIES.test(name));
  const titles = shapes.filter(isTitle);
  const others = shapes.filter((shape) => !titles.includes(shape));
  return [...titles, ...(others.length > MAX_SHAPES ? others : inPlaces(others))];
}

export const isTitle = (shape: XmlElement): boolean =>
  shape.name === 'p:sp' && /^(title|ctrTitle)$/.test(first(shape.children, 'p:ph')?.attribs['type'] ?? '');

function inPlaces(shapes: readonly XmlElement[]): readonly XmlElement[] {
  const placed = shapes.map((shape) => ({ shape, place: placeOf(shape) }));
  const isMixed = placed.some(({ place }, at) =>
    placed.slice(at + 1).some((later) => place !== null && later.place !== null && isAbove(later.place, place)),
  );
  // Shapes without a place have that of their layout.
  if (!isMixed || placed.some(({ place }) => place === null)) return shapes;
  return placed
    .toSorted(({ place: a }, { place: b }) => (isBeside(a!, b!) ? a!.left - b!.left : a!.top - b!.top))
    .map(({ shape }) => shape);
}

function placeOf(shape: XmlElement): Place | null {
  const frame = elementsOf(shape).find(({ name }) => /^p:(spPr|grpSpPr|xfrm)$/.test(name));
  const [offset, size] = ['a:off', 'a:ext'].map((name) => frame && first(frame.children, name)?.attribs);
  if (offset === undefined || size === undefined) return null;
  const [left, top] = [Number(offset['x']), Number(offset['y'])];
  return { left, top, right: left + Number(size['cx']), bottom: top + Number(size['cy']) };
}

/** In the same column of the slide. */
const isAbove = (a: Place, b: Place): boolean => a.bottom <= b.top && a.left < b.right && b.left < a.right;

/** On the same line of the slide: most of the lower one of them. */
function isBeside(a: Place, b: Place): boolean {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return shared * 2 > Math.min(a.bottom - a.top, b.bottom - b.top);
}
