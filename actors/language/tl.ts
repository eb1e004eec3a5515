import { list, type Language } from './language.ts';

/** Filipino. */
export const tl = {
  backchannels: {
    hums: list('ay | naku'),
    assents: list('oo | opo | oo nga | sige | tama | talaga | syempre | ayos'),
    reactions: list('naintindihan ko | ganun ba | galing | ganda | nakuha ko'),
  },
} as const satisfies Language;
