import { list, type Language } from './language.ts';

/** Malay. */
export const ms = {
  openEndings: {
    words: list(`
      dan | atau | tetapi | kerana | bahawa | kalau | jika | apabila | yang | di | ke | dari | untuk | dengan | pada |
      antara | sangat | adalah | sebuah
    `),
    phrases: list('saya mahu | saya ingin | contohnya | nama saya'),
  },
  backchannels: {
    hums: list('wah'),
    assents: list('ya | betul | benar | baik | okey | tentu | setuju | boleh'),
    reactions: list('faham | saya faham | oh begitu | bagus | menarik | betul ke'),
  },
} as const satisfies Language;
