/** Parts of a page that can take the focus, so that a screen reader reads on from there. */
const PARTS = '[tabindex], fieldset, form, section, main, dialog';
export const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary';

interface Place {
  readonly element: Element;
  /** Among its siblings. */
  readonly index: number;
}

/**
 * What has the focus may go away: a row that is deleted, a button whose work is done. The browser then puts the keyboard
 * at the beginning of the page. This keeps it near: in the next row of a list, otherwise in the part of the page.
 * @returns stops it.
 */
export function restoreFocus(container: HTMLElement | ShadowRoot): () => void {
  /** What has the focus, and what it stands in, the innermost first. */
  let places: readonly Place[] = [];

  function onFocusIn({ target }: Event): void {
    if (target instanceof Element) places = placesOf(target, container);
  }
  function onFocusOut(): void {
    // Somebody has left it by hand, if it is still there afterwards.
    queueMicrotask(() => {
      const held = places[0]?.element;
      if (held?.isConnected === true && !held.matches(':focus')) places = [];
    });
  }
  const observer = new MutationObserver(() => {
    if (places[0] === undefined || places[0].element.isConnected || document.activeElement !== document.body) return;
    const target = targetFor(places);
    places = [];
    if (target !== null) focusOn(target);
  });

  container.addEventListener('focusin', onFocusIn);
  container.addEventListener('focusout', onFocusOut);
  observer.observe(container, { childList: true, subtree: true });
  return () => {
    container.removeEventListener('focusin', onFocusIn);
    container.removeEventListener('focusout', onFocusOut);
    observer.disconnect();
  };
}

function placesOf(target: Element, container: HTMLElement | ShadowRoot): readonly Place[] {
  const places: Place[] = [];
  for (let element: Element | null = target; element !== null; element = element.parentElement) {
    const siblings: readonly Element[] = [...(element.parentNode?.children ?? [])];
    places.push({ element, index: siblings.indexOf(element) });
    if (element === container) break;
  }
  return places;
}

/** @param places whose first element is gone. */
function targetFor(places: readonly Place[]): HTMLElement | null {
  const left = places.findIndex(({ element }) => element.isConnected);
  const parent = places[left]?.element;
  const gone = places[left - 1];
  if (parent === undefined || gone === undefined) return null;
  const row = gone.element.matches('li') ? (parent.children[gone.index] ?? parent.lastElementChild) : null;
  return row?.querySelector<HTMLElement>(CONTROLS) ?? parent.closest<HTMLElement>(PARTS);
}

function focusOn(target: HTMLElement): void {
  if (!target.matches(`${CONTROLS}, [tabindex]`)) {
    target.tabIndex = -1;
    target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  }
  target.focus({ preventScroll: true });
}
