import { list, type Language } from './language.ts';

/** Polish. */
export const pl = {
  sentences: {
    goodbye: 'Dziękuję za rozmowę. Do widzenia!',
    apology: 'Przepraszam, mam teraz problem z udzieleniem odpowiedzi. Proszę spróbować za chwilę.',
    greetInstruction:
      'Rozmowa się zaczyna. Przywitaj użytkownika po polsku jednym krótkim, przyjaznym zdaniem, które pasuje do twojej roli.',
    promptInstruction:
      'Użytkownik milczy od dłuższej chwili. Zapytaj po polsku jednym krótkim, przyjaznym zdaniem, czy nadal tam jest albo jak możesz pomóc. Nie powtarzaj dosłownie wcześniejszego pytania.',
  },
  openEndings: {
    words: list(`
      i | oraz | lub | albo | ale | bo | że | żeby | aby | jeśli | jeżeli | gdy | kiedy | chociaż | ponieważ | więc |
      który | która | które | we | w | z | ze | na | do | od | dla | przez | przy | pod | nad | przed | po | u | bez |
      między | bardzo | yyy | eee
    `),
    phrases: list('chciałbym | chciałabym | chcę | na przykład | to znaczy | muszę | nazywam się | i wtedy'),
    opinions: list('myślę że'),
  },
  frequentWords: list('jest | są | nie | tak | się | to | jak | dzień | dobry | dziękuję'),
  backchannels: {
    hums: list('o | ojej | no proszę | aha'),
    assents: list(`
      tak | no tak | no | jasne | dobrze | dobra | okej | zgadza się | dokładnie | oczywiście | właśnie | racja |
      pewnie | prawda | tak tak
    `),
    reactions: list('rozumiem | naprawdę | super | świetnie | ciekawe | serio | no tak rozumiem | fajnie'),
  },
  abbreviations: {
    beforeName: list('np | tzw | ul | al | inż | mgr'),
    anywhere: list('itd | itp'),
  },
} as const satisfies Language;
