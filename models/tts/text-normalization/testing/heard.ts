import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { plainAscii } from '../../plain-ascii.ts';

/** A sentence as an LLM writes it, and what a listener must hear, in words that no voice reads wrong. */
export interface SpokenSentence {
  readonly language: string;
  readonly written: string;
  /** Each is right. */
  readonly heard: readonly string[];
}

export const SENTENCES: readonly SpokenSentence[] = readFileSync(
  new URL('spoken-sentences.tsv', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [language = '', written = '', heard = ''] = line.split('\t');
    return { language, written, heard: heard.startsWith('a,') ? [heard] : heard.split('|') };
  });

/** Says what a voice would say of each text, in its own words or phonemes, without stress and pauses. */
export type FrontEnd = (texts: readonly string[], language: string) => string[];

const VOICES: Readonly<Record<string, string>> = { en: 'en-us' };
/** Stands between texts: both voices read it alike at each place. */
const MARKER = 'Zulu zulu zulu.';

/** espeak-ng's phonemes, which neural voices with its front end get as well. */
export const espeakNg: FrontEnd = (texts, language) => {
  const say = (text: string): string =>
    execFileSync('espeak-ng', ['-q', '--ipa', '-v', VOICES[language] ?? language], { input: text, encoding: 'utf8' })
      .replaceAll(/\([a-z-]+\)/g, '')
      .replaceAll(/[^\p{L}\p{M}]|[ˈˌ]/gu, '');
  return say(texts.join(`\n\n${MARKER}\n\n`)).split(say(MARKER));
};

/** flite's words. It is English. */
export const flite: FrontEnd = (texts) => {
  const file = join(mkdtempSync(join(tmpdir(), 'parley-flite-')), 'text');
  // It takes no pipe.
  writeFileSync(file, texts.map(plainAscii).join(`\n\n${MARKER}\n\n`));
  const said = execFileSync('flite', ['-pr', 'Word', '-o', 'none', '-f', file], { encoding: 'latin1' });
  rmSync(dirname(file), { recursive: true });
  return said.replaceAll(/[^a-z0-9]+/g, '').split('zuluzuluzulu');
};

/** @param say what is given to the voice. @returns the sentences of which it says something else than is right. */
export function wrongOf(
  frontEnd: FrontEnd,
  sentences: readonly SpokenSentence[],
  say: (sentence: SpokenSentence) => string,
): SpokenSentence[] {
  const wrong: SpokenSentence[] = [];
  for (const language of new Set(sentences.map((sentence) => sentence.language))) {
    const those = sentences.filter((sentence) => sentence.language === language);
    const texts = those.flatMap((sentence) => [say(sentence), ...sentence.heard]);
    const said = frontEnd(texts, language);
    let at = 0;
    for (const sentence of those) {
      const [is, ...right] = said.slice(at, (at += 1 + sentence.heard.length));
      if (!right.includes(is!)) wrong.push(sentence);
    }
  }
  return wrong;
}
