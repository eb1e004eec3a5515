import type { SchemaObject } from './check.ts';

/**
 * What a reference inside a schema refers to: `#`, `#/$defs/place`.
 * @returns undefined when there is nothing; references to other documents are never followed.
 */
export function referredTo(root: SchemaObject, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  return pathOf(reference).reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    root,
  );
}

function pathOf(reference: string): string[] {
  const decoded = decoding(reference.slice(2));
  return decoded.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoding(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
