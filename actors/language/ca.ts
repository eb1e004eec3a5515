import { list, type Language } from './language.ts';

/** Catalan. */
export const ca = {
  openEndings: {
    words: list(`
      el | la | els | les | un | una | uns | unes | de | del | al | i | o | però | perquè | si | quan | encara | que |
      com | amb | per | sense | en | entre | fins | des
    `),
    phrases: list('voldria | vull | per exemple | he de | em dic'),
  },
  backchannels: {
    hums: list('ai | apa'),
    assents: list(`
      sí | sí sí | és clar | clar | exacte | correcte | d'acord | bé | molt bé | és veritat | val | per descomptat
    `),
    reactions: list('ja veig | ho entenc | entesos | de veritat | genial | que bé | interessant'),
  },
} as const satisfies Language;
