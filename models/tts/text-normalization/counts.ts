import type { SpokenLocale } from './locale.ts';
import { numberPattern, sayNumber } from './numbers.ts';
import type { Rule } from './rule.ts';

const MAGNITUDES: Readonly<Record<string, string>> = {
  k: 'thousand',
  m: 'million',
  mn: 'million',
  b: 'billion',
  bn: 'billion',
};
/** What is counted in millions. Before any other word "100m" is a length: "a 100m sprint". */
const COUNTED =
  'people|users|customers|clients|subscribers|followers|fans|players|viewers|visitors|visits|readers|listeners|members|employees|workers|students|patients|residents|inhabitants|citizens|children|adults|women|men|households|voters|votes|dollars|euros|pounds|downloads|views|streams|clicks|copies|units|records|rows|items|products|devices|accounts|messages|requests|transactions|orders|tokens|parameters|words|lines|jobs|years|tons|tonnes|barrels|shares|homes|cars|vehicles|species|deaths|cases|others';

/** English: "100m people", "10k users", "1.5B views". */
export function countRules(locale: SpokenLocale): Rule[] {
  if (locale.language !== 'en') return [];
  return [
    {
      pattern: new RegExp(
        `(?<![\\p{L}\\d.,/$€£¥₹])(${numberPattern(locale)})(k|mn?|bn?)(?=\\+? (?:(?:more|active|new|monthly|daily|paying|registered|different) )?(?:${COUNTED})(?!\\p{L}))`,
        'giu',
      ),
      say: ([, digits, letter]) => `${sayNumber(digits!, locale)} ${MAGNITUDES[letter!.toLowerCase()]}`,
    },
  ];
}
