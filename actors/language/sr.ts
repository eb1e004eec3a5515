import { list, type Language } from './language.ts';

/** Serbian. */
export const sr = {
  backchannels: {
    hums: list('jao'),
    assents: list(`
      aha | аха | да | da | добро | dobro | тачно | tačno | наравно | naravno | важи | važi | у реду | u redu |
      тако је | tako je
    `),
    reactions: list(`
      разумем | razumem | стварно | stvarno | супер | super | одлично | odlično | занимљиво | zanimljivo
    `),
  },
} as const satisfies Language;
