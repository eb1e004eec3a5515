import { withPlainSigns } from './html-signs.ts';
import { saidForPlayers } from './subtitles-of-players.ts';

/** Times of a caption, with what WebVTT says of its place. Some programs leave out the hours. */
const TIMES = /^[ \t]*(?:\d+:)?\d\d?:\d\d[.,]\d{2,3}(?:[ \t]*-->|,\d+:\d\d:\d\d\.\d{3}[ \t]*$)/;
/** And YouTube's own form, which has no numbers (SBV). */
const IS_SRT =
  /^\s*(?:(?:\d+[ \t]*\n\s*)?(?:\d+:)?\d\d:\d\d[.,]\d{2,3}[ \t]*-->|\d+:\d\d:\d\d\.\d{3},\d+:\d\d:\d\d\.\d{3}[ \t]*\n)/;
/** The first caption's times are within so many characters. */
const START = 1024;
/** Parts of WebVTT that nobody is shown, up to an empty line. */
const UNSEEN = /^(?:WEBVTT|NOTE|STYLE|REGION)(?:[ \t:-]|$)/;

/**
 * What is said in subtitles (SRT, WebVTT), without numbers, times, styles and comments. Another text stays as it is. Captions
 * that are made while somebody talks (YouTube's) show each line again while the next one is written: it is read once.
 */
export function saidIn(given: string): string {
  const whole = given.trimStart();
  const isWebVtt = whole.startsWith('WEBVTT');
  if (!isWebVtt && !IS_SRT.test(withLineFeeds(whole.slice(0, START))))
    return saidForPlayers(withLineFeeds(whole)) ?? given;
  const said: string[] = [];
  let last = '';
  let isUnseen = false;
  const lines = withoutGaps(withLineFeeds(whole)).split('\n');
  for (const [at, line] of lines.entries()) {
    const isFirst = at === 0 || lines[at - 1] === '';
    if (TIMES.test(line)) {
      isUnseen = false;
      if (said.at(-1) !== '') said.push('');
      continue;
    }
    if (line === '') isUnseen = false;
    else if (isWebVtt && isFirst && UNSEEN.test(line)) isUnseen = true;
    if (isUnseen || isNumber(lines, at, isWebVtt)) continue;
    const words = withoutMarks(line);
    if (words === '' || words === last) continue;
    said.push(words);
    last = words;
  }
  return said
    .join('\n')
    .replaceAll(/\n{2,}/g, '\n\n')
    .trim();
}

const withLineFeeds = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

/** Some programs leave a line empty between the number and the times. */
const withoutGaps = (text: string): string =>
  /^\d+[ \t]*\n\n/.test(text) ? text.replaceAll(/^(\d+[ \t]*)\n\n(?=\d+:\d\d)/gm, '$1\n') : text;

/** The number, or in WebVTT the name, of the caption whose times come next. */
function isNumber(lines: readonly string[], at: number, isWebVtt: boolean): boolean {
  if (!TIMES.test(lines[at + 1] ?? '')) return false;
  return /^[ \t]*\d+[ \t]*$/.test(lines[at]!) || (isWebVtt && (lines[at - 1] ?? '') === '');
}

/** Speakers stay: `<v Ann>`. Styles, places (`{\\an8}`) and the times of words go. */
function withoutMarks(line: string): string {
  return withPlainSigns(line)
    .replaceAll(/<v[. ]([^<>\n]{1,100})>/g, '$1: ')
    .replaceAll(/<\/?(?:[a-z]|\d\d:)[^<>\n]{0,100}>|\{\\[^{}\n]{1,100}\}/gi, '')
    .trim();
}
