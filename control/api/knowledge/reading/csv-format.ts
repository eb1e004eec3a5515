/** How a file of separated values is written: spreadsheets and programs all do it in their own way. */
export interface CsvFormat {
  readonly delimiter: string;
  /** What stands before a quotation mark that belongs to a value. */
  readonly escape: '"' | '\\';
  /** Where the values begin. */
  readonly from: number;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** The first lines tell, as far as this many characters go. */
const LOOKED_AT = 20_000;

export function csvFormat(text: string): CsvFormat {
  // Excel writes and reads this line.
  const said = /^\uFEFF?"?sep=(.)"?\r?\n/i.exec(text);
  const from = said?.[0].length ?? 0;
  const start = text.slice(from, from + LOOKED_AT);
  // Doubled marks within a value are the rule; a backslash is what databases write.
  const escape = /\\"(?![,;\t|\r\n]|$)/.test(start) && !/[^,;\t|\r\n]""[^,;\t|\r\n]/.test(start) ? '\\' : '"';
  return { delimiter: said?.[1] ?? delimiterOf(start, escape), escape, from };
}

/** The one that divides most lines into the same number of values. */
function delimiterOf(start: string, escape: string): string {
  const lines = start.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  // The last one may be cut.
  const whole = lines.length > 1 && start.length === LOOKED_AT ? lines.slice(0, -1) : lines;
  const rated = DELIMITERS.map((delimiter) => {
    const counts = new Map<number, number>();
    for (const line of whole) {
      const count = dividers(line, delimiter, escape);
      if (count > 0) counts.set(count, (counts.get(count) ?? 0) + 1);
    }
    const [count = 0, times = 0] = [...counts].toSorted(([a, ta], [b, tb]) => tb - ta || b - a)[0] ?? [];
    return { delimiter, times, count };
  });
  return rated.toSorted((a, b) => b.times - a.times || b.count - a.count)[0]!.delimiter;
}

/** How often it stands outside of quoted values. A mark within a value, as of inches, quotes nothing. */
function dividers(line: string, delimiter: string, escape: string): number {
  let count = 0;
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]!;
    if (isQuoted && character === escape && line[at + 1] === '"') at += 1;
    else if (isQuoted && character === '"') isQuoted = false;
    else if (!isQuoted && character === '"' && (at === 0 || line[at - 1] === delimiter)) isQuoted = true;
    else if (!isQuoted && character === delimiter) count += 1;
  }
  return count;
}
