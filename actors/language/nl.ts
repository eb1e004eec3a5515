import { list, type Language } from './language.ts';

/** Dutch. */
export const nl = {
  sentences: {
    goodbye: 'Bedankt voor het gesprek. Tot ziens!',
    apology: 'Sorry, het lukt me nu even niet om te antwoorden. Probeer het zo nog eens.',
    greetInstruction:
      'Het gesprek begint. Begroet de gebruiker in het Nederlands met één korte, vriendelijke zin die bij je rol past.',
    promptInstruction:
      'De gebruiker is al even stil. Vraag in het Nederlands met één korte, vriendelijke zin of hij er nog is of hoe je kunt helpen. Herhaal een eerdere vraag niet letterlijk.',
  },
  openEndings: {
    words: list(`
      de | het | een | en | of | maar | want | omdat | dat | als | wanneer | terwijl | hoewel | zodat | dan | mijn |
      jouw | uw | onze | hun | uh | uhm | eh | voor | van | tussen | zonder | sinds | heel | erg | zeer | te | deze
    `),
    phrases: list(`
      ik wil | ik wil graag | ik zou graag | bijvoorbeeld | kunt u | kun je | en toen | dat wil zeggen |
      mijn naam is | in de | op de | met de
    `),
    opinions: list('ik denk'),
  },
  frequentWords: list(`
    ik | je | jij | wij | zij | hij | niet | ook | goed | dank | hallo | met | op | aan | bij | naar | dit | wat |
    waar | kan | kunt | graag | er
  `),
  backchannels: {
    hums: list('tja | nou | goh | jeetje | hè'),
    assents: list(`
      ja | ja ja | jaja | jawel | precies | klopt | zeker | goed | oké | juist | natuurlijk | prima | inderdaad |
      dat klopt | is goed | akkoord | heel goed | tuurlijk
    `),
    reactions: list(`
      ik snap het | snap ik | begrijp ik | ik begrijp het | echt | echt waar | leuk | mooi | interessant | o ja |
      oh ja | fijn | duidelijk | top
    `),
    lookalikes: list('er | om'),
  },
  abbreviations: {
    beforeName: list('dhr | mevr | bv | bijv | dr'),
    anywhere: list('enz'),
  },
  commands: list('wacht | nee | stop'),
  weakWords: list('de | in'),
  waitRequests: list('een moment | momentje | wacht even'),
} as const satisfies Language;
