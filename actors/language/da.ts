import { list, type Language } from './language.ts';

/** Danish. */
export const da = {
  sentences: {
    goodbye: 'Tak for samtalen. Farvel!',
    apology: 'Undskyld, jeg har svært ved at svare lige nu. Prøv igen om et øjeblik.',
    greetInstruction:
      'Samtalen begynder. Hils på brugeren på dansk med én kort, venlig sætning, der passer til din rolle.',
    promptInstruction:
      'Brugeren har været stille et stykke tid. Spørg på dansk med én kort, venlig sætning, om vedkommende stadig er der, eller hvordan du kan hjælpe. Gentag ikke et tidligere spørgsmål ordret.',
  },
  openEndings: {
    words: list(`
      en | et | og | eller | men | at | når | fordi | mens | som | min | mit | mine | din | dit | vores | meget |
      mellem | øh | hm
    `),
    phrases: list('jeg vil | jeg vil gerne | for eksempel | og så | jeg hedder | kan du'),
    opinions: list('jeg tror'),
  },
  frequentWords: list('er | jeg | ikke | det | du | vi | på | af | med | til | kan | skal | tak | hej'),
  backchannels: {
    hums: list('nå | nåh | hold da op'),
    assents: list(`
      ja | jo | jep | præcis | netop | klart | okay | godt | selvfølgelig | rigtigt | det er rigtigt | fint
    `),
    reactions: list('jeg forstår | forstået | virkelig | nå okay | interessant | fedt | nå ja'),
    lookalikes: list('er | om'),
  },
  abbreviations: {
    beforeName: list('f.eks | bl.a'),
    anywhere: list('osv | m.m'),
  },
} as const satisfies Language;
