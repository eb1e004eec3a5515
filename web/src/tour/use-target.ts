import { useEffect, useState } from 'preact/hooks';
import type { Box } from './place-card.ts';

export interface Target {
  readonly element: HTMLElement;
  readonly box: Box;
}

/**
 * The first of some elements that is visible, and where it is in the window. It is looked for with each frame: pages
 * load, scroll and change while the tour points at them.
 */
export function useTarget(selectors: readonly string[]): Target | null {
  const [target, setTarget] = useState<Target | null>(null);
  const key = selectors.join();
  useEffect(() => {
    let frame = 0;
    let scrolledTo: HTMLElement | null = null;
    const look = (): void => {
      const element = firstVisible(selectors);
      if (element !== null && element !== scrolledTo) {
        scrolledTo = element;
        bringIntoView(element);
      }
      setTarget((before) => (element === null ? null : sameOr(before, element)));
      frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [key]);
  return target;
}

function firstVisible(selectors: readonly string[]): HTMLElement | null {
  for (const selector of selectors)
    for (const element of document.querySelectorAll<HTMLElement>(selector))
      if (element.getClientRects().length > 0) return element;
  return null;
}

function bringIntoView(element: HTMLElement): void {
  const { top, bottom } = element.getBoundingClientRect();
  if (top >= 0 && bottom <= innerHeight) return;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollIntoView({ block: 'center', behavior: still ? 'auto' : 'smooth' });
}

/** @returns the value of before if nothing has moved, so that nothing is rendered again. */
function sameOr(before: Target | null, element: HTMLElement): Target {
  const { left, top, width, height } = element.getBoundingClientRect();
  const same =
    before?.element === element &&
    before.box.left === left &&
    before.box.top === top &&
    before.box.width === width &&
    before.box.height === height;
  return same ? before : { element, box: { left, top, width, height } };
}
