import { list, type Language } from './language.ts';

/** Italian. */
export const it = {
  sentences: {
    goodbye: 'Grazie per la conversazione. Arrivederci!',
    apology: 'Mi dispiace, in questo momento ho difficoltà a rispondere. Riprova tra poco, per favore.',
    greetInstruction:
      "La conversazione comincia. Saluta l'utente in italiano con una frase breve e cordiale, adatta al tuo ruolo.",
    promptInstruction:
      "L'utente tace da un po'. Chiedigli in italiano, con una frase breve e cordiale, se è ancora lì o come puoi aiutarlo. Non ripetere parola per parola una domanda precedente.",
  },
  openEndings: {
    words: list(`
      il | lo | i | gli | le | un | uno | una | di | del | dello | della | dei | degli | delle | a | al | allo |
      alla | ai | agli | alle | da | dal | nel | nella | con | su | sul | per | tra | fra | e | ed | o | ma | quando |
      che | cui | ehm | molto
    `),
    phrases: list(`
      vorrei | voglio | ho bisogno di | per esempio | il fatto è che | e poi | mi piacerebbe | in modo che | mi chiamo
    `),
    opinions: list('credo che | penso che'),
  },
  frequentWords: list(`
    è | sono | ha | hanno | non | si | ci | ciao | grazie | questo | questa | come | dove | quanto | più | anche |
    molto | bene | può | costa | buongiorno
  `),
  backchannels: {
    hums: list('beh | mah | boh | ah ecco | caspita'),
    assents: list(`
      sì | sì sì | certo | va bene | esatto | esattamente | giusto | bene | molto bene | d'accord | d'accordo | vero |
      è vero | certamente | già | perfetto | appunto | infatti | ovvio | ecco
    `),
    reactions: list(`
      capisco | ho capito | capito | davvero | ottimo | bello | interessante | ah sì | che bello | ma dai |
      fantastico | ah capisco
    `),
  },
  spokenDigits: list('zero | uno | due | tre | quattro | cinque | sei | sette | otto | nove'),
  abbreviations: {
    beforeName: list('dott | sig | sig.ra | ing | avv | geom | p.es | pag | prof | prof.ssa'),
    anywhere: list('ecc'),
  },
  commands: list('aspetta | ferma | basta | no'),
  objections: list('ma'),
  weakWords: list('la | e | o | un'),
  waitRequests: list('un momento | un attimo | un secondo | aspetta'),
  politeWords: list('per favore'),
  vocatives: list('mama | papa | amore | tesoro'),
  busyPhrases: list('sono al telefono | arrivo subito'),
} as const satisfies Language;
