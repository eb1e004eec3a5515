import type { SpokenLocale } from './locale.ts';
import { pairs } from './pairs.ts';
import type { Rule } from './rule.ts';

/** Days as opening hours have them. English has rules of its own. */
const DAYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: pairs('Mo: Montag, Di: Dienstag, Mi: Mittwoch, Do: Donnerstag, Fr: Freitag, Sa: Samstag, So: Sonntag'),
  fr: pairs('lun: lundi, mar: mardi, mer: mercredi, jeu: jeudi, ven: vendredi, sam: samedi, dim: dimanche'),
  es: pairs(`lun: lunes, mar: martes, mié: miércoles, jue: jueves, vie: viernes, sáb: sábado, dom: domingo,
    L: lunes, V: viernes, S: sábado, D: domingo`),
  it: pairs('lun: lunedì, mar: martedì, mer: mercoledì, gio: giovedì, ven: venerdì, sab: sabato, dom: domenica'),
  pt: pairs('seg: segunda, ter: terça, qua: quarta, qui: quinta, sex: sexta, sáb: sábado, dom: domingo'),
};

/** "Mo–Fr", "lun.-ven.": alone they are other words ("So", "mar"). */
export function weekDayRules({ language, words }: SpokenLocale): Rule[] {
  const days = DAYS[language];
  if (days === undefined) return [];
  const short = Object.keys(days)
    .flatMap((day) => [day, day.charAt(0).toUpperCase() + day.slice(1)])
    .join('|');
  const fullOf = (day: string): string => {
    const full = days[day] ?? days[day.toLowerCase()]!;
    return day.length > 1 && /^\p{Lu}/u.test(day) ? full.charAt(0).toUpperCase() + full.slice(1) : full;
  };
  return [
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}.-])(${short})\.? ?[–-] ?(${short})(?:\.(?= ?[\p{L}\d,:;(]))?(?![\p{L}-])`,
        'gu',
      ),
      say: ([, from, to]) => `${fullOf(from!)} ${words.to} ${fullOf(to!)}`,
    },
    // "Sa 10–14 Uhr"
    ...(language === 'de'
      ? [
          {
            pattern:
              /(?<![\p{L}.-])(Mo|Di|Mi|Do|Fr|Sa|So)\.?(?=:? ?\d{1,2}(?::\d\d|(?:[.:]\d\d)? ?[–-] ?\d{1,2}(?:[.:]\d\d)? ?Uhr))/gu,
            say: ([, day]: RegExpMatchArray) => fullOf(day!),
          },
        ]
      : []),
  ];
}
