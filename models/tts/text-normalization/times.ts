import type { SpokenLocale } from './locale.ts';
import type { Rule } from './rule.ts';

const BETWEEN: Readonly<Record<string, string>> = { de: 'zu' };
const HOURS: Readonly<Record<string, string>> = { de: 'Uhr', fr: 'heures' };

/** Times that voices do not read as such: "10:00", "15:30 Uhr", "15h30"; and ratios: "16:9". */
export function timeRules(locale: SpokenLocale): Rule[] {
  const { language, words } = locale;
  const hours = HOURS[language];
  return [
    ...(language === 'en' ? ENGLISH : []),
    ...(language === 'pt' ? PORTUGUESE : []),
    ...(language === 'es' || language === 'pt' ? IBERIAN : []),
    ...(hours === undefined
      ? []
      : [
          {
            pattern:
              /(?<![\p{L}\d.,:])([01]?\d|2[0-4])(?:[:h]|[.](?=\d\d ?Uhr))([0-5]\d)(?: ?(?:Uhr|h))?(?![\p{L}\d:])/gu,
            say: ([, hour, minute]: RegExpMatchArray) => {
              const spoken = hour === '1' || hour === '01' ? (language === 'de' ? 'ein' : 'une') : Number(hour);
              const noun = language === 'fr' && Number(hour) < 2 ? 'heure' : hours;
              return `${spoken} ${noun}${minute === '00' ? '' : ` ${Number(minute)}`}`;
            },
          },
        ]),
    {
      // One digit behind the colon, or too many minutes: no time.
      pattern: /(?<![\p{L}\d.,:/])(\d{1,3}):(\d|[6-9]\d|\d{3})(?![\p{L}\d:]|[.,]\d)/gu,
      say: ([, first, second]) => `${first} ${BETWEEN[language] ?? words.to} ${second}`,
    },
  ];
}

/** "18:30 h" */
const IBERIAN: readonly Rule[] = [{ pattern: /(?<=(?<!\d)\d{1,2}:\d\d) ?h(?!\p{L})/gu, say: () => ' horas' }];

/** Voices spell the "h". */
const PORTUGUESE: readonly Rule[] = [
  {
    pattern: /(?<![\p{L}\d.,:])([01]?\d|2[0-4])h([0-5]\d)(?:min)?(?![\p{L}\d:])/gu,
    say: ([, hour, minute]) =>
      `${Number(hour) === 1 ? 'uma hora' : `${Number(hour)} horas`}${minute === '00' ? '' : ` e ${Number(minute)}`}`,
  },
];

const ENGLISH: readonly Rule[] = [
  {
    pattern: /(?<![\p{L}\d.,:])0?(\d{1,2}):0(\d)(?: ?([ap])\.?m\b)?(?![\p{L}\d:])/giu,
    say: ([, hour, minute, half]) =>
      minute === '0'
        ? half === undefined
          ? Number(hour) > 12 || hour === '0'
            ? `${hour} hundred hours`
            : `${hour} o'clock`
          : `${hour} ${half.toUpperCase()}M`
        : `${hour} oh ${minute}${half === undefined ? '' : ` ${half.toUpperCase()}M`}`,
  },
];
