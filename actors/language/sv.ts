import { list, type Language } from './language.ts';

/** Swedish. */
export const sv = {
  sentences: {
    goodbye: 'Tack för samtalet. Hej då!',
    apology: 'Förlåt, jag har svårt att svara just nu. Försök gärna igen om en liten stund.',
    greetInstruction: 'Samtalet börjar. Hälsa på användaren på svenska med en kort, vänlig mening som passar din roll.',
    promptInstruction:
      'Användaren har varit tyst en stund. Fråga på svenska med en kort, vänlig mening om hen är kvar eller hur du kan hjälpa till. Upprepa inte en tidigare fråga ordagrant.',
  },
  openEndings: {
    words: list(`
      en | ett | den | och | eller | men | för | att | när | eftersom | medan | som | min | mitt | mina | din | ditt |
      vår | vårt | mycket | väldigt | från | mellan | eh | öh | hm
    `),
    phrases: list('jag vill | jag skulle vilja | till exempel | och sen | jag heter | kan du'),
    opinions: list('jag tror'),
  },
  frequentWords: list(`
    är | jag | inte | det | du | vi | ni | han | hon | den | på | av | med | till | kan | ska | tack | hej
  `),
  backchannels: {
    hums: list('jaha | oj | nämen'),
    assents: list(`
      ja | jo | japp | precis | just det | visst | okej | bra | absolut | javisst | stämmer | det stämmer | exakt |
      självklart
    `),
    reactions: list('jag förstår | förstår | verkligen | vad bra | intressant | jaså | toppen | kul | aha okej'),
    lookalikes: list('er | om'),
  },
  abbreviations: {
    beforeName: list('bl.a | t.ex'),
    anywhere: list('osv | m.m'),
  },
} as const satisfies Language;
