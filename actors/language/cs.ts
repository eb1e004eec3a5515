import { list, type Language } from './language.ts';

/** Czech. */
export const cs = {
  sentences: {
    goodbye: 'Děkuji za rozhovor. Na shledanou!',
    apology: 'Omlouvám se, teď se mi nedaří odpovědět. Zkuste to prosím za chvíli znovu.',
    greetInstruction:
      'Rozhovor začíná. Pozdrav uživatele česky jednou krátkou, přátelskou větou, která odpovídá tvé roli.',
    promptInstruction:
      'Uživatel už chvíli mlčí. Zeptej se česky jednou krátkou, přátelskou větou, zda tam ještě je nebo jak můžeš pomoci. Neopakuj dřívější otázku doslova.',
  },
  openEndings: {
    words: list(`
      a | i | nebo | ale | protože | že | aby | když | pokud | jestli | který | která | které | v | ve | z | ze | na |
      do | od | pro | přes | při | pod | nad | před | po | u | bez | mezi | velmi | ehm
    `),
    phrases: list('chtěl bych | chtěla bych | chci | například | to znamená | jmenuji se'),
    opinions: list('myslím že'),
  },
  backchannels: {
    hums: list('aha | jé'),
    assents: list(`
      no | ano | jo | jasně | dobře | přesně | správně | samozřejmě | jistě | pravda | to jo | no jo | souhlasím
    `),
    reactions: list('rozumím | chápu | opravdu | vážně | super | skvěle | zajímavé | fakt | výborně'),
  },
} as const satisfies Language;
