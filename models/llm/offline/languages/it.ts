import type { Language } from './language.ts';

export const it: Language = {
  marks:
    'il lo gli e io tu lei è sono non un una con come che cosa per di del della mi ti ciao grazie italiano parlare puoi sto chi dove perché'.split(
      ' ',
    ),
  hears: {
    hello: /^(ciao|salve|buongiorno|buonasera|buon giorno|buona sera)( \w+)?$/,
    howAreYou: /(?:^| )come (stai|sta|va)(?= |$)/,
    thanks: /(?:^| )grazie(?= |$)/,
    goodbye: /(arrivederci|a presto|a dopo|addio|ci vediamo|ciao ciao)/,
    pause: /(?:^| )(un (momento|attimo|secondo|minuto)|aspetta|aspetti|fammi pensare)(?= |$)/,
    whoAreYou: /(chi sei|chi è lei|come ti chiami|qual è il tuo nome|cosa sei)/,
    whatCanYouDo: /(cosa (puoi|sai) fare|aiutami|mi puoi aiutare)/,
    myNameIs: /(?:mi chiamo|il mio nome è|chiamami)\s+([\p{L}'-]+)/u,
    whatIsMyName: /(come mi chiamo|qual è il mio nome|chi sono)/,
    yes: /^(sì|certo|va bene|esatto|volentieri|ok)( grazie)?$/,
    no: /^(no|no grazie|non proprio)$/,
  },
  says: {
    greeting: ['Ciao{name}! Che bello vederti. Di cosa vuoi parlare?', 'Ciao{name}! Come posso aiutarti?'],
    hello: ['Ciao{name}! A cosa stai pensando?', 'Ciao{name}, che piacere sentirti!'],
    fine: ['Sto bene, grazie. E tu?'],
    welcome: ['Prego! Posso fare altro?'],
    goodbye: ['Arrivederci{name}! È stato un piacere parlare con te.'],
    pause: ['Certo, prenditi il tuo tempo. Sono qui.'],
    stillThere: ['Ci sei ancora{name}?', 'Sono qui quando vuoi continuare.', 'Fai con calma. Posso aiutarti?'],
    iAm: ['Sono {topic}.', 'Mi chiamo {topic}.'],
    offlineLlm: [
      'A dire il vero sono la mente offline di Parley: poche regole, non un grande modello linguistico. Posso chiacchierare un po’, rispondere dai documenti e usare strumenti.',
    ],
    niceToMeet: ['Piacere di conoscerti{name}! Cosa ti porta qui?'],
    yourNameIs: ['Mi hai detto che ti chiami {topic}.'],
    nameUnknown: ['Non mi hai ancora detto il tuo nome. Come ti chiami?'],
    languageChanged: ['Certo, parliamo italiano. Di cosa vuoi parlare?'],
    nothingFound: ['Non ho trovato nulla su questo nei miei documenti. Puoi chiederlo in altro modo?'],
    done: ['Fatto.'],
    failed: ['Mi dispiace, non ha funzionato. Proviamo qualcos’altro?'],
    running: ['L’ho avviato; è ancora in corso.'],
    endCall: ['Vuoi terminare la nostra conversazione?'],
    whichValue: ['Cosa devo usare come {topic}?'],
    dontKnow: [
      'Questo non lo so, mi dispiace. La mia mente offline sa solo quello che le si dice.',
      'Questo supera le mie semplici regole. Tu cosa ne sai?',
    ],
    encouragement: ['Capisco. Raccontami di più.', 'Interessante. Continua pure.'],
    tellMeMore: ['Hai parlato di {topic}. Cosa conta di più per te?', 'Raccontami di più su {topic}.'],
    allRight: ['Va bene. Cosa vuoi fare adesso?'],
  },
};
