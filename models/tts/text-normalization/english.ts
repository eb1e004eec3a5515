import { toCardinal } from 'n2words/en-US';
import { englishOrdinal } from './dates.ts';
import { pairs } from './pairs.ts';
import type { Rule } from './rule.ts';

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'.split('|');
const DAYS = 'Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday'.split('|');
const DAY = '(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)';
/** What stands between two days. */
const BETWEEN_DAYS = '(?: ?[–-] ?| to |, | and | & )';
const SHORT_MONTH = 'Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec';
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

const monthOf = (short: string): string => MONTHS.find((name) => name.startsWith(short.slice(0, 3)))!;
const dayOf = (short: string): string => DAYS.find((name) => name.startsWith(short.slice(0, 3)))!;
const STREETS: Readonly<Record<string, string>> = pairs(
  'St: Street, Ave: Avenue, Rd: Road, Blvd: Boulevard, Ln: Lane, Hwy: Highway',
);
const HEAVENS: Readonly<Record<string, string>> = pairs('N: north, S: south, E: east, W: west');

/** Words that only English shortens so: "Tue, Mar 5", "Mon–Fri", "10 Downing St." */
export const ENGLISH_WORDS: readonly Rule[] = [
  {
    // "Sun" and "Sat" are words, unless a day or a date is beside them.
    pattern: new RegExp(
      String.raw`(?<![\p{L}\d])(${DAY})\.?(?=,? (?:\d|(?:${SHORT_MONTH}|${MONTHS.join('|')})\.? \d)|${BETWEEN_DAYS}${DAY}(?!\p{L}))`,
      'gu',
    ),
    say: ([, day]) => dayOf(day!),
  },
  {
    pattern: new RegExp(String.raw`(?<=(?<!\p{L})${DAY}\.?${BETWEEN_DAYS})(${DAY})(?!\p{L})`, 'gu'),
    say: ([, day]) => dayOf(day!),
  },
  {
    pattern:
      /(?<=(?<!\p{L})\p{Lu}\p{L}+ )(St|Ave|Rd|Blvd|Ln|Hwy)\.?(?=[,;]|$| (?:in|and|at|near|is|has|to|between)(?!\p{L}))/gu,
    say: ({ 0: text, 1: street, index = 0, input = '' }) =>
      STREETS[street!]! + (text.endsWith('.') && index + text.length === input.length ? '.' : ''),
  },
];

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
    say: ([, month, day]) => (Number(day) > 31 ? null : `${monthOf(month!)} ${englishOrdinal(day!)}`),
  },
  {
    pattern: new RegExp(
      String.raw`(?<=(?<![\d.,:/-])\d{1,2}(?:st|nd|rd|th)? )(${SHORT_MONTH})\.?(?=,? \d{4}(?!\d)|[,;)]|$)`,
      'gu',
    ),
    say: ([, month]) => monthOf(month!),
  },
  {
    // "Dec. 2025"
    pattern: new RegExp(String.raw`(?<!\p{L})(${SHORT_MONTH})\.?(?= (?:19|20)\d\d(?!\d))`, 'gu'),
    say: ([, month]) => monthOf(month!),
  },
  {
    // Latitudes and longitudes.
    pattern: /(?<=\d)° ?([NSEW])(?!\p{L})/gu,
    say: ([, heaven]) => ` degrees ${HEAVENS[heaven!]}`,
  },
  {
    // A rating.
    pattern: /(?<![\p{L}\d.,:/$-])(\d{1,2}(?:\.\d)?)\/(5|10|100)(?= (?:stars?|points?)(?!\p{L}))/gu,
    say: ([, got, of]) => `${got} out of ${of}`,
  },
  {
    // Not as a size: "1920x1080".
    pattern: /(?<![\p{L}\d])0x([\dA-Fa-f]{1,16})(?![\p{L}\d])/gu,
    say: ([, digits]) => `0 x ${[...digits!].join(' ')}`,
  },
  {
    pattern: /(?<![\p{L}\d.,])(\d{1,3}) ?ft\.? (\d{1,2}) ?in(?!\p{L})\.?/gu,
    say: ([, feet, inches]) =>
      `${feet} ${feet === '1' ? 'foot' : 'feet'} ${inches} ${inches === '1' ? 'inch' : 'inches'}`,
  },
  {
    // Inches, unless it ends what was quoted.
    pattern: /(?<!["“][^"“”]{0,80})(?<![\p{L}\d.,/'′’])(\d{1,3}(?:\.\d)?)["″](?=[ -]\p{Ll})/gu,
    say: ([, inches]) => `${inches} inch`,
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
      /(?<=(?<!\p{L})(?:in|since|until|before|after|year|early|late|mid|spring|summer|autumn|fall|winter|q[1-4]|from|©) (?:1\d{3} ?[–-] ?)?)(1\d|20)([1-9]\d)(?![\p{L}\d%°]|[.,:/]\d)/giu,
    say: ([, century, rest]) => `${toCardinal(century!)} ${toCardinal(rest!)}`,
  },
  {
    pattern: /(?<![\p{L}\d.,])([3-8])['′’](\d{1,2})(?:["″”]|''|(?!['’\p{L}\d]|[.,]\d))/gu,
    say: ([, feet, inches]) => `${feet} foot ${inches}`,
  },
];
