import { list, type Language } from './language.ts';

/** Croatian. */
export const hr = {
  backchannels: {
    hums: list('joj'),
    assents: list('aha | da | dobro | točno | tačno | naravno | u redu | jasno | tako je | slažem se | može'),
    reactions: list('razumijem | stvarno | super | zanimljivo | odlično | ma daj'),
  },
} as const satisfies Language;
