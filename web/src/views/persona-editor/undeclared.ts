/** @returns names that stand in `{{…}}` in these texts and are declared nowhere, each once, in their order. */
export function undeclaredNames(texts: readonly (string | null)[], declared: readonly { readonly name: string }[]) {
  const known = new Set(declared.map(({ name }) => name));
  const named = texts.flatMap((text) =>
    [...(text ?? '').matchAll(/\{\{\s*([A-Za-z][A-Za-z0-9_]{0,63})\s*\}\}/g)].map(([, name]) => name!),
  );
  return [...new Set(named)].filter((name) => !known.has(name));
}
