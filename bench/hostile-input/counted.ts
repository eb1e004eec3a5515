/** @returns `2 × this, 1 × that`: what came, and how often. */
export function counted(values: readonly (string | number)[]): string {
  const times = new Map<string, number>();
  for (const value of values) times.set(String(value), (times.get(String(value)) ?? 0) + 1);
  return [...times]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([value, count]) => `${count} × ${value}`)
    .join(', ');
}
