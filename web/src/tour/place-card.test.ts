import { describe, expect, it } from 'vitest';
import { type Box, placeCard, type Size } from './place-card.ts';

const CARD = { width: 320, height: 200 };
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** On a phone the card takes the width of the window. */
const WIDE_CARD = { width: 358, height: 200 };

const covers = (target: Box, card: Size, { left, top }: { left: number; top: number }): boolean =>
  left < target.left + target.width &&
  target.left < left + card.width &&
  top < target.top + target.height &&
  target.top < top + card.height;

describe('the card of the tour', () => {
  it.each<[string, Box, Size, Size]>([
    ['a button in the page', { left: 300, top: 300, width: 120, height: 44 }, CARD, DESKTOP],
    ['a button at the lower edge', { left: 800, top: 740, width: 52, height: 52 }, CARD, DESKTOP],
    ['the bar of controls', { left: 250, top: 720, width: 640, height: 60 }, CARD, DESKTOP],
    ['a high column', { left: 870, top: 20, width: 380, height: 760 }, CARD, DESKTOP],
    ['a button on a phone', { left: 20, top: 500, width: 250, height: 44 }, WIDE_CARD, PHONE],
    ['the controls on a phone', { left: 16, top: 560, width: 358, height: 60 }, WIDE_CARD, PHONE],
  ])('does not cover %s, and stays in the window', (_what, target, card, viewport) => {
    const place = placeCard(target, card, viewport);
    expect(covers(target, card, place)).toBe(false);
    expect(place.left).toBeGreaterThanOrEqual(0);
    expect(place.top).toBeGreaterThanOrEqual(0);
    expect(place.left + card.width).toBeLessThanOrEqual(viewport.width);
    expect(place.top + card.height).toBeLessThanOrEqual(viewport.height);
  });

  it('stands in the corner when there is nothing to point at', () => {
    expect(placeCard(null, CARD, DESKTOP)).toEqual({ left: 944, top: 584 });
  });
});
