import { list, type Language } from './language.ts';

/** Norwegian. */
export const no = {
  sentences: {
    goodbye: 'Takk for samtalen. Ha det bra!',
    apology: 'Beklager, jeg har problemer med å svare akkurat nå. Prøv igjen om et øyeblikk.',
    greetInstruction:
      'Samtalen begynner. Hils på brukeren på norsk med én kort, vennlig setning som passer til rollen din.',
    promptInstruction:
      'Brukeren har vært stille en stund. Spør på norsk med én kort, vennlig setning om vedkommende fortsatt er der, eller hvordan du kan hjelpe. Ikke gjenta et tidligere spørsmål ordrett.',
  },
  openEndings: {
    words: list(`
      en | ei | et | og | eller | men | at | når | fordi | mens | som | min | mitt | mine | din | ditt | vår |
      veldig | mellom | eh | øh | hm
    `),
    phrases: list('jeg vil | jeg vil gjerne | for eksempel | og så | jeg heter | kan du'),
    opinions: list('jeg tror'),
  },
  frequentWords: list('er | jeg | ikke | det | du | vi | på | av | med | til | kan | skal | takk | hei'),
  backchannels: {
    hums: list('jaha | oi | nå'),
    assents: list(`
      ja | jo | jepp | nettopp | akkurat | klart | ok | greit | selvfølgelig | riktig | stemmer | det stemmer | bra
    `),
    reactions: list('jeg forstår | skjønner | virkelig | interessant | så bra | jaså'),
    lookalikes: list('er | om'),
  },
  abbreviations: {
    beforeName: list('f.eks | bl.a'),
    anywhere: list('osv'),
  },
} as const satisfies Language;
