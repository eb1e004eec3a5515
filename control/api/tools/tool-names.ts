/** Longest name of a tool, in characters. */
const LONGEST = 64;

/** @returns the name itself if it is free, else with `_2`, `_3`, … ; the name is cut so that the whole fits. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const suffix = `_${number}`;
    const name = wanted.slice(0, LONGEST - suffix.length) + suffix;
    if (!taken.has(name)) return name;
  }
}

/** Gives every tool of a session a unique name; earlier tools keep theirs. */
export function withDistinctNames<T extends { readonly name: string }>(tools: readonly T[]): T[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    const name = freeName(tool.name, taken);
    taken.add(name);
    return name === tool.name ? tool : { ...tool, name };
  });
}
