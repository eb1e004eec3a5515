/** How many key terms a service takes. */
export interface KeyTermLimits {
  readonly terms: number;
  /** Most characters of one term. Longer terms are left out. */
  readonly characters: number;
  /** Most characters of all terms together. */
  readonly allCharacters?: number;
}

/** @param terms the most important one first. @returns those that fit, trimmed and without duplicates. */
export function limitKeyTerms(terms: readonly string[], limits: KeyTermLimits): string[] {
  const taken = new Map<string, string>();
  let characters = 0;
  for (const term of terms.map((text) => text.trim())) {
    const key = term.toLowerCase();
    if (term === '' || term.length > limits.characters || taken.has(key)) continue;
    if (characters + term.length > (limits.allCharacters ?? Infinity)) continue;
    if (taken.size === limits.terms) break;
    characters += term.length;
    taken.set(key, term);
  }
  return [...taken.values()];
}
