import { pairs } from './pairs.ts';
import type { Rule } from './rule.ts';

/** Abbreviations that voices spell, or read as a word: "one point five meeo", "ess twelve", "double-u slash milk". */
interface Abbreviations {
  readonly anywhere: Readonly<Record<string, string>>;
  /** "S. 12": elsewhere it is the letter of a name. */
  readonly beforeNumber: Readonly<Record<string, string>>;
  readonly afterNumber: Readonly<Record<string, string>>;
}

/** Blanks within them may be missing: "z. B." and "z.B.". A point behind one is its own where it stands here. */
const ABBREVIATIONS: Readonly<Record<string, Abbreviations>> = {
  en: {
    anywhere: pairs('w/o: without, w/: with, approx.: approximately, appt.: appointment, dept.: department'),
    beforeNumber: pairs(`p.: page, pg.: page, pp.: pages, fig.: figure, figs.: figures, vol.: volume,
      ext.: extension, ch.: chapter, Eq.: equation, Sec.: section, §: section, §§: sections`),
    afterNumber: pairs(
      `yrs: years, yrs.: years, yr.: year, hrs.: hours, mins.: minutes, mins: minutes, wks: weeks, wks.: weeks,
      mn: million, bn: billion, mmHg: millimeters of mercury`,
    ),
  },
  de: {
    anywhere:
      pairs(`z. B.: zum Beispiel, d. h.: das heißt, u. a.: unter anderem, u. U.: unter Umständen, i. d. R.: in der Regel,
      z. T.: zum Teil, v. a.: vor allem, bzw.: beziehungsweise, usw.: und so weiter, ggf.: gegebenenfalls, evtl.: eventuell,
      inkl.: inklusive, zzgl.: zuzüglich, bspw.: beispielsweise, vgl.: vergleiche, MwSt.: Mehrwertsteuer, Dr.: Doktor,
      ca.: circa, Jh.: Jahrhundert, mind.: mindestens, max.: maximal, Hbf.: Hauptbahnhof, Tel.: Telefon`),
    beforeNumber: pairs(
      '§: Paragraph, §§: Paragraphen, S.: Seite, Nr.: Nummer, Abs.: Absatz, Art.: Artikel, Kap.: Kapitel, Abb.: Abbildung, Bd.: Band',
    ),
    afterNumber:
      pairs(`Mio.: Millionen, Mio: Millionen, Mrd.: Milliarden, Mrd: Milliarden, Tsd.: tausend, Std.: Stunden, Min.: Minuten,
      Sek.: Sekunden, Std: Stunden, Pers.: Personen, Stk.: Stück, EL: Esslöffel, TL: Teelöffel, qm: Quadratmeter`),
  },
  fr: {
    anywhere:
      pairs(`M.: Monsieur, Mme: Madame, Mlle: Mademoiselle, p. ex.: par exemple, c.-à-d.: c'est-à-dire, env.: environ,
      tél.: téléphone, St-: Saint-, Ste-: Sainte-, bd.: boulevard, av.: avenue`),
    beforeNumber: pairs('§: paragraphe, n°: numéro, N°: numéro, nº: numéro, no.: numéro, p.: page, art.: article'),
    afterNumber: pairs('M€: millions d\u2019euros, Md€: milliards d\u2019euros, k€: mille euros'),
  },
  es: {
    anywhere:
      pairs(`p. ej.: por ejemplo, EE. UU.: Estados Unidos, Av.: avenida, Avda.: avenida, aprox.: aproximadamente, C/: calle,
      Tel.: teléfono`),
    beforeNumber: pairs(
      '§: párrafo, n.º: número, N.º: número, nº: número, Nº: número, núm.: número, pág.: página, págs.: páginas, art.: artículo',
    ),
    afterNumber: pairs('M€: millones de euros'),
  },
  it: {
    anywhere: pairs(`sig.: signor, sig.ra: signora, dott.: dottor, p. es.: per esempio,
      ad es.: ad esempio, ecc.: eccetera, prof.ssa: professoressa, ca.: circa`),
    beforeNumber: pairs('§: paragrafo, n.: numero, n°: numero, N°: numero, pag.: pagina, art.: articolo'),
    afterNumber: pairs('mln: milioni, mld: miliardi, M€: milioni di euro'),
  },
  pt: {
    anywhere:
      pairs(`Sr.: senhor, Sra.: senhora, Dra.: doutora, Dr.: doutor, p. ex.: por exemplo, Av.: avenida, aprox.: aproximadamente,
      Exmo.: excelentíssimo`),
    beforeNumber: pairs('§: parágrafo, n.º: número, nº: número, Nº: número, pág.: página, art.: artigo'),
    afterNumber: pairs('M€: milhões de euros'),
  },
};

export function abbreviationRules(language: string): Rule[] {
  const { anywhere, beforeNumber, afterNumber } = ABBREVIATIONS[language]!;
  return [
    // The street's name: "Hauptstr. 5".
    ...(language === 'de' ? [{ pattern: /(?<=\p{L})str\.(?=[ ,]|$)/gu, say: () => 'straße' }] : []),
    // A price says "billion" itself: "$2bn".
    rule(afterNumber, String.raw`(?<=\d ?)(?<![$€£¥₹] ?\d[\d.,]{0,12} ?)`, ''),
    rule(beforeNumber, '', String.raw`(?= ?\d)`),
    rule(anywhere, '', ''),
  ].filter((one) => one !== null);
}

function rule(table: Readonly<Record<string, string>>, before: string, behind: string): Rule | null {
  const entries = Object.entries(table).flatMap(
    ([one, said]) =>
      [
        [capital(one), capital(said)],
        [one, said],
      ] as const,
  );
  const all = [...new Set(entries.map(([one]) => one))].toSorted((a, b) => b.length - a.length);
  if (all.length === 0) return null;
  const written = all.map((one) => one.replaceAll('.', String.raw`\.`).replaceAll(' ', ' ?'));
  const byLetters = new Map(entries.map(([one, said]) => [one.replaceAll(' ', ''), said]));
  return {
    pattern: new RegExp(
      String.raw`(?<![\p{L}.])${before}(?:${written.join('|')})${behind}(?!(?<=\p{L})\p{L}|(?<=\.)\p{L})`,
      'gu',
    ),
    say: ({ 0: text, index = 0, input = '' }) => {
      const said = byLetters.get(text.replaceAll(/\s/g, ''));
      if (said === undefined) return null;
      // Its point also ends the sentence.
      const isLast = text.endsWith('.') && input.slice(index + text.length).trim() === '';
      const gap = /\p{L}$/u.test(said) && /^[\p{L}\d]/u.test(input.slice(index + text.length)) ? ' ' : '';
      return `${said}${isLast ? '.' : ''}${gap}`;
    },
  };
}

/** At the beginning of a sentence. */
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
