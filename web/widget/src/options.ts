/** What the widget starts: a share link, or a persona that allows this web site. */
export type Source =
  | { readonly kind: 'share'; readonly token: string }
  | { readonly kind: 'persona'; readonly personaId: string };

/** In the corner of a page, in the place of the element, or the whole page (of a share link). */
export type Layout = 'floating' | 'inline' | 'page';
export type Corner = 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';
export type Theme = 'auto' | 'light' | 'dark';

/** The attributes of the element. Null or undefined: as the persona's widget configuration says. */
export interface Options {
  readonly source: Source | null;
  /** Address of the service, without a slash at the end. */
  readonly service: string;
  readonly layout?: Layout;
  readonly position?: Corner;
  readonly initialState?: 'minimized' | 'expanded';
  readonly callToAction?: string;
  /** Of variables of the persona that a visitor may give. */
  readonly variableValues: Readonly<Record<string, string>>;
  readonly theme: Theme;
  /** The conversation outlives a reload of the page. */
  readonly resume: boolean;
  /** BCP 47, as written on the element or around it. */
  readonly language: string | null;
}

export const ATTRIBUTES = [
  'share',
  'persona',
  'service',
  'layout',
  'position',
  'initial-state',
  'call-to-action',
  'variables',
  'theme',
  'lang',
  'resume',
] as const;
export type Attribute = (typeof ATTRIBUTES)[number];

const LAYOUTS: readonly Layout[] = ['floating', 'inline', 'page'];
export const CORNERS: readonly Corner[] = ['bottom-right', 'bottom-left', 'top-right', 'top-left'];

/** @param read the value of an attribute, or null. @param home address of the service that the script came from. */
export function readOptions(read: (name: Attribute) => string | null, home: string): Options {
  const callToAction = read('call-to-action') ?? undefined;
  const initialState = oneOf(['minimized', 'expanded'] as const, read('initial-state'));
  return {
    source: sourceOf(read('share'), read('persona')),
    service: (read('service') ?? home).replace(/\/+$/, ''),
    layout: oneOf(LAYOUTS, read('layout')),
    position: oneOf(CORNERS, read('position')),
    initialState,
    callToAction,
    variableValues: valuesOf(read('variables')),
    theme: oneOf(['auto', 'light', 'dark'] as const, read('theme')) ?? 'auto',
    language: read('lang'),
    resume: ![null, 'false'].includes(read('resume')),
  };
}

/**
 * Whether two widgets of a page are the same one, put there twice: they lead to the same conversation, in the same kind of
 * place. How they look does not count.
 */
export function isSameWidget(one: Options, other: Options): boolean {
  const what = ({ source, service, layout, variableValues }: Options): string =>
    JSON.stringify([source, service, layout, Object.entries(variableValues).toSorted()]);
  return what(one) === what(other);
}

/** @param share a token, or the whole address of the link, also with values of a visitor. */
function sourceOf(share: string | null, personaId: string | null): Source | null {
  const address = share?.trim().split(/[?#]/)[0] ?? '';
  const token = address.replace(/\/+$/, '').split('/').at(-1) ?? '';
  if (token !== '') return { kind: 'share', token };
  const id = personaId?.trim() ?? '';
  return id === '' ? null : { kind: 'persona', personaId: id };
}

/** Marks of advertisers are in addresses, too, and longer than what a visitor may say. */
const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 200;

/** @param search the query of an address. @returns the values in it, as the attribute `variables`. */
export function valuesInAddress(search: string): string {
  const values = [...new URLSearchParams(search)].filter(
    ([name, value]) => name.length <= MAX_NAME_LENGTH && value.length <= MAX_VALUE_LENGTH,
  );
  return JSON.stringify(Object.fromEntries(values));
}

/** @param json an object; whatever else it is counts as none: a mistake in a page leaves no visitor without the widget. */
function valuesOf(json: string | null): Readonly<Record<string, string>> {
  try {
    const values: unknown = JSON.parse(json ?? '{}');
    if (values === null || typeof values !== 'object' || Array.isArray(values)) return {};
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  } catch {
    console.warn('parley: the attribute "variables" is no JSON object');
    return {};
  }
}

export function cornerOf(text: string): Corner {
  return oneOf(CORNERS, text) ?? 'bottom-right';
}

function oneOf<T extends string>(values: readonly T[], text: string | null): T | undefined {
  return values.find((value) => value === text);
}
