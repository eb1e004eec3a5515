import { list, type Language } from './language.ts';

/** Swahili. */
export const sw = {
  backchannels: {
    hums: list('loo | ala'),
    assents: list('ehee | ndiyo | sawa | sawa sawa | kweli | haya | bila shaka | naam | vizuri'),
    reactions: list('naelewa | nimeelewa | kumbe | safi | vizuri sana'),
  },
} as const satisfies Language;
