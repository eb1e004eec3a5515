const MAX_REASON_LENGTH = 1000;

export interface Verdict {
  readonly passed: boolean;
  readonly why: string;
}

/** Where a verdict stands, the surest place first. Models explain, embolden and label what they were asked to say alone. */
const PLACES: readonly RegExp[] = [
  // At the beginning of a line, as asked for. Within the line: beyond it, each line would be searched from each line before.
  /^[ \t*_#>"'`-]*(PASS|FAIL)(?:ED)?\b(?![ \t]+or\b)[ \t*_"'`]*[:.–—-]*[ \t]*(.*)/gm,
  // "Verdict: PASS", {"verdict": "FAIL", "why": "…"}
  /\b(?:verdict|grade|result|answer|conclusion)\b["'*_\s]*(?::|is|=)["'*_\s]*(PASS|FAIL)(?:ED)?\b["'*_,]*[ \t]*(.*)/gi,
];

/** @param text as of `wholeAnswer`. @returns the verdict of an LLM that was asked for PASS or FAIL, and why. Null: it gave none, or both. */
export function readVerdict(text: string): Verdict | null {
  for (const place of PLACES) {
    const found = [...text.matchAll(place)].map(([, word, rest]) => ({
      passed: word!.toUpperCase() === 'PASS',
      rest: rest!,
    }));
    if (new Set(found.map(({ passed }) => passed)).size !== 1) continue;
    const { passed, rest } = found.at(-1)!;
    return { passed, why: reasonOf(rest, text) };
  }
  const words = new Set(text.match(/\b(?:PASS|FAIL)\b/g));
  return words.size === 1 ? { passed: words.has('PASS'), why: text.slice(0, MAX_REASON_LENGTH) } : null;
}

/** What stands behind the word; else all that was said. */
function reasonOf(rest: string, text: string): string {
  const said = rest.slice(0, MAX_REASON_LENGTH).replaceAll(/^[\s:.,*_–—-]+|[\s*_`"}]+$/g, '');
  return said === '' ? text.slice(0, MAX_REASON_LENGTH) : said;
}
