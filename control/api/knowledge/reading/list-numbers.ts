/** Numbers as lists of Office programs, OpenDocument and pages write them. */

/** Letters in whose order lists count, by the names of Word's formats; OpenDocument names the first of them. */
const ALPHABETS: readonly (readonly [format: RegExp, letters: string])[] = [
  [/^(?:lower|upper)(?:letter|-latin|-alpha)$|^a$/i, 'abcdefghijklmnopqrstuvwxyz'],
  [/greek|^α/i, 'αβγδεζηθικλμνξοπρστυφχψω'],
  [/^russian|^а/i, 'абвгдежзиклмнопрстуфхцчшщыэюя'],
  [/^hebrew2|^א, ב/, 'אבגדהוזחטיכלמנסעפצקרשת'],
  [/^arabicAlpha/, 'أبتثجحخدذرزسشصضطظعغفقكلمنهوي'],
  [/^arabicAbjad|^أ/, 'أبجدهوزحطيكلمنسعفصقرشتثخذضظغ'],
  [/^thaiLetters|^ก/, 'กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ'],
  [/^aiueo|^[アｱ]/, 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン'],
  [/^iroha|^[イｲ]/, 'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン'],
  [/^ganada|^가/, '가나다라마바사아자차카타파하'],
  [/^chosung|^ㄱ/, 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ'],
  [/^ideographTraditional|^甲/, '甲乙丙丁戊己庚辛壬癸'],
  [/^ideographZodiac$|^子/, '子丑寅卯辰巳午未申酉戌亥'],
  [/EnclosedCircle|^①/, '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳'],
];
const CHINESE = /counting|ideograph(Digital|Enclosed)|koreanDigital2?$|cjk|^[一壱壹]/i;

/** @param format of Word, of OpenDocument, or the type of a list of a page. One that is not known counts in digits. */
export function written(value: number, format: string): string {
  if (value <= 0) return String(value);
  if (/roman|^i$/i.test(format) && value < 4000) return inCase(roman(value), format);
  const letters = ALPHABETS.find(([pattern]) => pattern.test(format))?.[1];
  if (letters !== undefined) return inCase(lettered(value, letters), format);
  if (CHINESE.test(format) && value < 10_000) return chinese(value);
  return format === 'decimalZero' ? String(value).padStart(2, '0') : String(value);
}

const inCase = (text: string, format: string): string =>
  /^\p{Lu}$/u.test(format) || /^upper|Upper$/.test(format) || /^[ΑА]/.test(format) ? text.toUpperCase() : text;

/** After "z", letters are doubled; scripts that do it in another way count on in digits. */
function lettered(value: number, letters: string): string {
  const all = [...letters];
  if (value > all.length && (letters[0] !== 'a' || value > all.length * MAX_REPEATED)) return String(value);
  return all[(value - 1) % all.length]!.repeat(Math.ceil(value / all.length));
}

/** More say nothing. */
const MAX_REPEATED = 9;

/** 11 is 十一, 205 is 二百零五. */
function chinese(value: number): string {
  const digits = [...String(value)].map(Number);
  const text = digits.map((digit, at) =>
    digit === 0 ? '零' : '零一二三四五六七八九'[digit]! + UNITS[digits.length - 1 - at]!,
  );
  return text.join('').replaceAll(/零+/g, '零').replace(/零$/, '').replace(/^一十/, '十');
}

const UNITS = ['', '十', '百', '千'];

const ROMAN = [
  ...([
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
  ] as const),
  ...([
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ] as const),
];

function roman(value: number): string {
  let rest = value;
  let text = '';
  for (const [worth, letters] of ROMAN) {
    while (rest >= worth) {
      text += letters;
      rest -= worth;
    }
  }
  return text;
}
