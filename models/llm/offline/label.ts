/** A technical name as words: `openingHours` and `opening_hours` → "opening hours". */
export function inLabel(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .toLowerCase()
    .trim();
}
