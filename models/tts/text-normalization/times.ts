import type { SpokenLocale } from './locale.ts';
import { sayInteger } from './numbers.ts';
import type { Rule } from './rule.ts';

const HOURS_OF_HALF_A_DAY = 12;

/** Times of the day: "15:30", "3:30 PM", "15:30 Uhr", "15h30". */
export function timeRules(locale: SpokenLocale): Rule[] {
  if (locale.language === 'en') {
    return [
      {
        pattern: /(?<![\p{L}\d.,:])(\d{1,2}):(\d{2})(?: ?([ap])\.?m\.?(?!\p{L}))?(?![\p{L}\d:])/giu,
        say: ([, hour, minute, half]) => englishTime(+hour!, +minute!, half ?? null, locale),
      },
      {
        pattern: /(?<![\p{L}\d.,:])(\d{1,2}) ?([ap])\.?m\.?(?!\p{L})/giu,
        say: ([, hour, half]) => englishTime(+hour!, 0, half!, locale),
      },
    ];
  }
  return [
    {
      pattern: /(?<![\p{L}\d.,:])(\d{1,2})(?::|h(?=\d))(\d{2})(?: ?(?:Uhr|h))?(?![\p{L}\d:])/gu,
      say: ([, hour, minute]) => (isTime(+hour!, +minute!) ? continentalTime(+hour!, +minute!, locale) : null),
    },
    {
      pattern: /(?<![\p{L}\d.,:])(\d{1,2})\.(\d{2}) ?Uhr(?!\p{L})/gu,
      say: ([, hour, minute]) => (isTime(+hour!, +minute!) ? continentalTime(+hour!, +minute!, locale) : null),
    },
    {
      pattern: /(?<![\p{L}\d.,:])(\d{1,2}) (?:Uhr)(?!\p{L})/gu,
      say: ([, hour]) => (locale.language === 'de' && isTime(+hour!, 0) ? continentalTime(+hour!, 0, locale) : null),
    },
  ];
}

const isTime = (hour: number, minute: number): boolean => hour <= 24 && minute <= 59;

function englishTime(hour: number, minute: number, half: string | null, locale: SpokenLocale): string | null {
  if (!isTime(hour, minute) || (half !== null && (hour < 1 || hour > HOURS_OF_HALF_A_DAY))) return null;
  const inHalf = hour % HOURS_OF_HALF_A_DAY === 0 ? HOURS_OF_HALF_A_DAY : hour % HOURS_OF_HALF_A_DAY;
  const letter =
    half?.toLowerCase() ?? (hour > HOURS_OF_HALF_A_DAY || hour === 0 ? (hour % 24 === 0 ? 'a' : 'p') : null);
  const minutes =
    minute === 0
      ? letter === null
        ? " o'clock"
        : ''
      : ` ${minute < 10 ? 'oh ' : ''}${sayInteger(String(minute), locale)}`;
  return `${sayInteger(String(inHalf), locale)}${minutes}${letter === null ? '' : ` ${letter}.m.`}`;
}

function continentalTime(hour: number, minute: number, locale: SpokenLocale): string {
  const minutes = minute === 0 ? '' : sayInteger(String(minute), locale);
  const hours = sayInteger(String(hour), locale);
  switch (locale.language) {
    case 'de':
      return `${hour === 1 ? locale.one.masculine : hours} Uhr${minutes && ` ${minutes}`}`;
    case 'fr':
      return `${hour === 1 ? locale.one.feminine : hours} ${hour < 2 ? 'heure' : 'heures'}${minutes && ` ${minutes}`}`;
    case 'es':
      return `${hour === 1 ? locale.one.feminine : hours}${minutes && ` y ${minutes}`}`;
    case 'pt':
      return `${hour === 1 ? locale.one.feminine : hour === 2 ? 'duas' : hours}${minutes ? ` e ${minutes}` : hour === 1 ? ' hora' : ' horas'}`;
    default:
      return `${hour === 1 ? locale.one.feminine : hours}${minutes && ` ${locale.words.and} ${minutes}`}`;
  }
}
