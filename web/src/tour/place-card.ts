export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Between the card, what it points at, and the edge of the window. */
export const GAP = 16;

/**
 * Where the card stands: beside what it points at, without covering it. If no side has room, it stands at the end of
 * the window that is farther away from it. All in CSS pixels.
 */
export function placeCard(target: Box | null, card: Size, viewport: Size): { left: number; top: number } {
  const rightmost = viewport.width - card.width - GAP;
  const lowest = viewport.height - card.height - GAP;
  if (target === null) return { left: rightmost, top: lowest };
  const right = target.left + target.width;
  const bottom = target.top + target.height;
  const left = between(GAP, target.left, rightmost);
  const top = between(GAP, target.top, lowest);
  if (bottom + GAP <= lowest) return { left, top: bottom + GAP };
  if (right + GAP <= rightmost) return { left: right + GAP, top };
  if (target.left - GAP - card.width >= GAP) return { left: target.left - GAP - card.width, top };
  const above = target.top - GAP - card.height;
  if (above >= GAP) return { left, top: above };
  return { left: rightmost, top: target.top + target.height / 2 > viewport.height / 2 ? GAP : lowest };
}

const between = (least: number, value: number, most: number): number => Math.max(least, Math.min(value, most));
