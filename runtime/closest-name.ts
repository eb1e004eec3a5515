import { diffChars } from 'diff';

/**
 * @param maxChanges letters that may be more or less, together. @returns the known name that takes the fewest of them,
 * which was probably meant; null: none is as close.
 */
export function closestName(name: string, known: Iterable<string>, maxChanges: number): string | null {
  let closest: string | null = null;
  let fewest = maxChanges + 1;
  for (const candidate of known) {
    const changes = diffChars(name, candidate, { ignoreCase: true }).filter(({ added, removed }) => added || removed);
    const letters = changes.reduce((sum, { count }) => sum + count, 0);
    if (letters < fewest) [closest, fewest] = [candidate, letters];
  }
  return closest;
}
