import { toCardinal } from 'n2words/en-US';
import { englishOrdinal } from './dates.ts';
import { pairs } from './pairs.ts';
import type { Rule } from './rule.ts';

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'.split('|');
const TENS: Readonly<Record<string, string>> = pairs(`
    10: tens, 20: twenties, 30: thirties, 40: forties, 50: fifties, 60: sixties, 70: seventies, 80: eighties,
    90: nineties
  `);
const MAGNITUDES: Readonly<Record<string, string>> = { k: 'thousand', m: 'million', b: 'billion' };
/** What is counted in millions. Before any other word "100m" is a length: "a 100m sprint". */
const COUNTED =
  'people|users|customers|subscribers|followers|players|viewers|visitors|visits|readers|listeners|members|' +
  'employees|students|residents|dollars|euros|pounds|downloads|views|streams|clicks|copies|records|rows|items|' +
  'devices|accounts|messages|requests|transactions|orders|tokens|parameters|words|lines|years';

/** What only English writes so: "the 1980s", "Dec 25", "10k users", "in 1984", 6'2". */
export const ENGLISH_RULES: readonly Rule[] = [
  {
    // Their "s" does not mean seconds.
    pattern:
      /(?<!(?:for|after|wait|every|within|takes|took|lasts|lasted) )(?<![\p{L}\d.,:/$])['’]?(1[1-9]|20)?([1-9]0)['’]?s(?![\p{L}\d])/giu,
    say: ([, century, tens]) => `${century === undefined ? '' : `${toCardinal(century)} `}${TENS[tens!]}`,
  },
  {
    // A month in full: voices say "dec", and of some days no ordinal.
    pattern: new RegExp(
      String.raw`(?<!\p{L})(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|${MONTHS.join('|')})\.? (\d{1,2})(?:st|nd|rd|th)?(?![\p{L}\d:%–-]|[.,]\d)`,
      'gu',
    ),
    say: ([, month, day]) =>
      Number(day) > 31 ? null : `${MONTHS.find((name) => name.startsWith(month!.slice(0, 3)))} ${englishOrdinal(day!)}`,
  },
  {
    pattern: new RegExp(
      String.raw`(?<![\p{L}\d.,/$€£¥₹])(\d{1,3}(?:\.\d+)?)(k|mn?|bn?)(?=\+? (?:(?:more|active|new|monthly|daily|paying|registered) )?(?:${COUNTED})(?!\p{L}))`,
      'giu',
    ),
    say: ([, digits, letter]) => `${digits} ${MAGNITUDES[letter![0]!.toLowerCase()]}`,
  },
  {
    // Years in two halves: voices say "one thousand nine hundred".
    pattern:
      /(?<=(?<!\p{L})(?:in|since|until|before|after|year|early|late|mid|spring|summer|autumn|fall|winter|q[1-4]|from|©) )(1[1-9]|20)([1-9]\d)(?![\p{L}\d%°]|[.,:/]\d)/giu,
    say: ([, century, rest]) => `${toCardinal(century!)} ${toCardinal(rest!)}`,
  },
  {
    pattern: /(?<![\p{L}\d.,])([3-8])['′’](\d{1,2})(?:["″”]|'')/gu,
    say: ([, feet, inches]) => `${feet} foot ${inches}`,
  },
];
