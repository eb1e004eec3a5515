import { HOME, ParleyPersona } from './element.ts';
import { ATTRIBUTES, isSameWidget, type Options, readOptions, valuesInAddress } from './options.ts';

/**
 * `<script src="https://talk.example.com/widget.js" data-share="…"></script>` puts the widget on the page: without more,
 * in a corner. Every attribute of `<parley-persona>` can be given as `data-…`.
 */
function placeBy(script: HTMLScriptElement): void {
  const { share, persona, layout } = script.dataset;
  if (share === undefined && persona === undefined) return;
  const element = document.createElement('parley-persona');
  for (const name of ATTRIBUTES) {
    const value = script.getAttribute(`data-${name}`);
    if (value !== null) element.setAttribute(name, value);
  }
  // A share link can carry values of the visitor: `/s/…?guest=Ann`.
  if (layout === 'page') element.setAttribute('variables', valuesInAddress(location.search));
  // In its place, or at the end of the page, above everything else.
  if (layout === 'inline') placeOnce(element, () => script.after(element));
  else if (document.body !== null) placeOnce(element, () => document.body.append(element));
  else document.addEventListener('DOMContentLoaded', () => placeOnce(element, () => document.body.append(element)));
}

/** Tag managers and templates put the same script into a page twice: that is one widget. */
function placeOnce(element: Element, place: () => void): void {
  const options = optionsOf(element);
  const isThere = [...document.querySelectorAll('parley-persona')].some((other) =>
    isSameWidget(optionsOf(other), options),
  );
  if (!isThere) place();
}

function optionsOf(element: Element): Options {
  return readOptions((name) => element.getAttribute(name), HOME);
}

const script = document.currentScript;
// Loaded twice, the first one counts.
if (customElements.get('parley-persona') === undefined) customElements.define('parley-persona', ParleyPersona);
if (script instanceof HTMLScriptElement) placeBy(script);
