import { diffChars } from 'diff';

/** Letters of a misspelled name that are more or less, of 1. */
const MISSPELLED = 0.34;

/**
 * @param maxChanges letters that may be more or less, together. @defaultValue a third of the name
 * @returns the known name that takes the fewest of them, which was probably meant; null: none is as close.
 */
export function closestName(
  name: string,
  known: Iterable<string>,
  maxChanges = name.length * MISSPELLED,
): string | null {
  let closest: string | null = null;
  let fewest = maxChanges + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > maxChanges) continue;
    const changes = diffChars(name, candidate, { ignoreCase: true }).filter(({ added, removed }) => added || removed);
    const letters = changes.reduce((sum, { count }) => sum + count, 0);
    if (letters < fewest) [closest, fewest] = [candidate, letters];
  }
  return closest;
}
