/** @param text "km: kilometer, m: meter". @returns a table. It is for long tables of short words. */
export const pairs = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .trim()
      .split(/\s*,\s*/)
      .map((pair) => pair.split(/: ?/) as [string, string]),
  );
