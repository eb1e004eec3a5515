import { list, type Language } from './language.ts';

/** Slovak. */
export const sk = {
  backchannels: {
    hums: list('aha | jaj'),
    assents: list('áno | hej | jasné | dobre | presne | správne | samozrejme | iste | pravda'),
    reactions: list('rozumiem | chápem | naozaj | vážne | super | skvelé | zaujímavé | fakt'),
  },
} as const satisfies Language;
