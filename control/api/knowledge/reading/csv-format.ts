/** How a file of separated values is written: spreadsheets and programs all do it in their own way. */
export interface CsvFormat {
  readonly delimiter: string;
  /** What stands before a quotation mark that belongs to a value. */
  readonly escape: '"' | '\\' | "'";
  /** What values are put into. */
  readonly quote: '"' | "'";
  /** Where the values begin. */
  readonly from: number;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Of databases and mainframes: only where they divide every line alike, and nothing else does. */
const RARE = ['^', '~', '\u0001', '\u001F', '¦', '§', ':'] as const;
/** Colons of sentences, times and addresses. */
const IN_WORDS = /:(?:\s|\/\/)|\d:\d\d\b/;
/** The first lines tell, as far as this many characters go. */
const LOOKED_AT = 20_000;

export function csvFormat(text: string): CsvFormat {
  // Excel writes and reads this line.
  const said = /^\uFEFF?"?sep=(.)"?\r?\n/i.exec(text);
  const from = said?.[0].length ?? 0;
  const start = text.slice(from, from + LOOKED_AT);
  // Doubled marks within a value are the rule; a backslash is what databases write.
  const escape = /\\"(?![,;\t|\r\n]|$)/.test(start) && !/[^,;\t|\r\n]""[^,;\t|\r\n]/.test(start) ? '\\' : '"';
  const delimiter = said?.[1] ?? delimiterOf(start, escape);
  return isInSingleQuotes(start, delimiter)
    ? { delimiter, escape: "'", quote: "'", from }
    : { delimiter, escape, quote: '"', from };
}

/** Databases write 'values' so: all of a line at least, of most lines. */
function isInSingleQuotes(start: string, delimiter: string): boolean {
  if (start.includes('"')) return false;
  const lines = start.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const quoted = lines.filter((line) => line.includes(`'${delimiter}'`) && /^\s*'.*'\s*$/.test(line));
  return quoted.length * 2 > lines.length;
}

/** The one that divides most lines into the same number of values. */
function delimiterOf(start: string, escape: string): string {
  const lines = start.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  // The last one may be cut.
  const whole = lines.length > 1 && start.length === LOOKED_AT ? lines.slice(0, -1) : lines;
  const usual = bestOf(DELIMITERS, whole, escape);
  const rare = bestOf(RARE, whole, escape);
  // One value a line: commas of sentences divide some of them.
  const isOne =
    usual.times * 2 < whole.length && rare.times < whole.length && dividers(whole[0]!, usual.delimiter, escape) === 0;
  if (isOne && !start.includes('"'))
    return DELIMITERS.find((delimiter) => !start.includes(delimiter)) ?? usual.delimiter;
  if (whole.length < 2 || rare.times < whole.length || usual.times === whole.length) return usual.delimiter;
  const isOfWords =
    rare.delimiter === ':' &&
    (usual.times > whole.length / 2 || whole.some((line) => IN_WORDS.test(line.replaceAll(/"[^"]*"/g, ''))));
  return isOfWords ? usual.delimiter : rare.delimiter;
}

interface Rated {
  readonly delimiter: string;
  /** Lines that it divides into as many values. */
  readonly times: number;
  readonly count: number;
}

function bestOf(delimiters: readonly string[], lines: readonly string[], escape: string): Rated {
  const rated = delimiters.map((delimiter): Rated => {
    const counts = new Map<number, number>();
    for (const line of lines) {
      const count = dividers(line, delimiter, escape);
      if (count > 0) counts.set(count, (counts.get(count) ?? 0) + 1);
    }
    const [count = 0, times = 0] = [...counts].toSorted(([a, ta], [b, tb]) => tb - ta || b - a)[0] ?? [];
    return { delimiter, times, count };
  });
  return rated.toSorted((a, b) => b.times - a.times || b.count - a.count)[0]!;
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
