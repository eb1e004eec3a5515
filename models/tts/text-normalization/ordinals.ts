import { toOrdinal as germanOrdinal } from 'n2words/de-DE';
import { toOrdinal as frenchOrdinal } from 'n2words/fr-FR';
import { englishOrdinal } from './dates.ts';
import type { Rule } from './rule.ts';

const ROMAN = String.raw`(?=[IVX])(X{0,3}(?:IX|IV|V?I{0,3}))`;
const DIGITS: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10 };
/** Rulers and popes of whom there were several, in the languages below. */
const RULERS =
  'Louis|Henry|Henri|Charles|Carlos|George|Edward|Elizabeth|Élisabeth|Isabel|James|Jacques|Jaime|William|Guillaume|Guillermo|' +
  'Richard|Philip|Philippe|Felipe|Fernando|Alfonso|Napoleon|Napoléon|Paul|Pablo|Benedict|Benoît|Benedicto|Pius|' +
  'Pie|Pío|Leo|Léon|León|Francis|François|Ludwig|Friedrich|Wilhelm|Karl|Heinrich|Frederick|Frédéric|Catherine|Nicholas|' +
  'Nicolas|Alexander|Alexandre|Alejandro|Mary|Ramses|Ramsès|Ptolemy|Juan|Jean|John|Peter|Pierre|Pedro';
/** What is counted in Roman numerals. */
const COUNTED =
  'Chapter|Part|Act|Section|Volume|Book|World War|Phase|Type|Stage|Title|Appendix|Article|Super Bowl|Rocky|Chapitre|Tome|Acte';
/** In English, "I" is somebody, unless one of these words or the end follows. */
const I_AM = String.raw`(?!I (?!(?:of|and|or|was|is|in|to|error|diabetes|began|ended|ruled|reigned)(?!\p{L})))`;
const SPANISH_ORDINALS = 'primero|segundo|tercero|cuarto|quinto|sexto|séptimo|octavo|noveno|décimo'.split('|');

/** Signs of ordinals: "2e étage" is read as "deux e", "2° piano" as degrees, "1.º" with its point. */
const SIGNS: Readonly<Record<string, readonly Rule[]>> = {
  fr: [
    { pattern: /(?<![\p{L}\d.,])1re(?!\p{L})/gu, say: () => 'première' },
    { pattern: /(?<![\p{L}\d.,])2nd(e?)(?!\p{L})/gu, say: ([, ending]) => `second${ending}` },
    {
      pattern: new RegExp(String.raw`(?<![\p{L}\d])${ROMAN}(?:e|ème|è)(?!\p{L})`, 'gu'),
      say: ([, roman]) => frenchOrdinal(valueOf(roman!)),
    },
    {
      pattern: /(?<![\p{L}\d.,])(\d{1,3})(?:e|ème|eme|è)(?!\p{L})/gu,
      say: ([, digits]) => frenchOrdinal(Number(digits)),
    },
  ],
  it: [
    {
      pattern:
        /(?<=(?<!\p{L})(?:il|lo|la|al|alla|del|della|dal|nel|nella|sul|Il|La|Al|Dal|Nel) |l['’])(\d{1,3})°(?= \p{Ll}{2})/gu,
      say: ([, digits]) => `${digits}º`,
    },
    // Floors and days also without an article.
    {
      pattern:
        /(?<![\p{L}\d.,])(\d{1,2})°(?= (?:piano|giorno|posto|anno|mese|livello|turno|gennaio|maggio|giugno)(?!\p{L}))/gu,
      say: ([, digits]) => `${digits}º`,
    },
  ],
  pt: [
    {
      pattern: /(?<![\p{L}\d.,])(\d{1,2})°(?= (?:andar|dia|lugar|ano|mês|piso|grau)(?!\p{L}))/gu,
      say: ([, digits]) => `${digits}º`,
    },
  ],
  es: [{ pattern: /(?<![\p{L}\d.,])(\d{1,3})\.([ºª])/gu, say: ([, digits, sign]) => digits! + sign! }],
};

/** Voices spell them, or say "roman": "Louis XIV", "Chapter IV", "le XIXe siècle". */
export function ordinalRules(language: string): readonly Rule[] {
  if (!/^(en|fr|es|de)$/.test(language)) return SIGNS[language] ?? [];
  const notI = language === 'en' ? I_AM : '';
  return [
    ...(SIGNS[language] ?? []),
    {
      pattern: new RegExp(
        String.raw`(?<=(?<!\p{L})(?:${RULERS}) )${notI}${ROMAN}(?![\p{L}\d])${language === 'de' ? String.raw`\.?` : ''}`,
        'gu',
      ),
      say: ([, roman]) => ofRuler(valueOf(roman!), language),
    },
    {
      pattern: new RegExp(String.raw`(?<=(?<!\p{L})(?:${COUNTED}) )${notI}${ROMAN}(?![\p{L}\d'’])`, 'gu'),
      say: ([roman]) => String(valueOf(roman)),
    },
  ];
}

function ofRuler(value: number, language: string): string {
  if (language === 'en') return `the ${englishOrdinal(String(value))}`;
  if (language === 'de') return `der ${germanOrdinal(value)}`;
  if (language === 'es') return SPANISH_ORDINALS[value - 1] ?? String(value);
  return value === 1 ? 'premier' : String(value);
}

function valueOf(roman: string): number {
  const values = Array.from(roman, (letter) => DIGITS[letter] ?? 0);
  return values.reduce((sum, value, at) => (value < (values[at + 1] ?? 0) ? sum - value : sum + value), 0);
}
