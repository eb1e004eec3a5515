import { list, type Language } from './language.ts';

/** German. */
export const de = {
  sentences: {
    goodbye: 'Vielen Dank für das Gespräch. Auf Wiedersehen!',
    apology: 'Entschuldigung, ich kann gerade nicht antworten. Bitte versuchen Sie es gleich noch einmal.',
    greetInstruction:
      'Das Gespräch beginnt. Begrüße den Nutzer auf Deutsch mit einem kurzen, freundlichen Satz, der zu deiner Rolle passt.',
    promptInstruction:
      'Der Nutzer schweigt seit einer Weile. Frage auf Deutsch mit einem kurzen, freundlichen Satz, ob er noch da ist oder wie du helfen kannst. Wiederhole keine frühere Frage wörtlich.',
  },
  openEndings: {
    words: list(`
      der | die | den | dem | des | ein | eine | einen | einem | einer | eines | und | oder | aber | denn | weil |
      dass | ob | falls | obwohl | während | bevor | nachdem | damit | sondern | sowie | als | mein | meine | meinen |
      dein | deine | seine | ihre | unser | unsere | äh | ähm | öhm | hm | für | von | im | ins | zum | zur | beim |
      vom | am | zwischen | gegen | ohne | sehr | ganz | ziemlich | keine | keinen | diese | dieser | jede | jeder |
      jedes
    `),
    phrases: list(`
      ich möchte | ich will | ich würde | ich würde gerne | ich hätte | ich hätte gerne | ich brauche | zum beispiel |
      können sie | kannst du | könnten sie | und dann | gibt es | mein name ist | in der | in die | auf die |
      mit der | mit dem
    `),
    opinions: list('ich glaube | ich denke | ich meine | das heißt'),
  },
  frequentWords: list(`
    das | ist | sind | ich | du | er | wir | ihr | sie | es | nicht | kein | auch | noch | nur | schon | hier | ja |
    nein | wie | wo | wann | auf | mit | nach | aus | um | über | unter | gut | bitte | danke | haben | habe | kann |
    können | wird | werden | sein | guten | hallo | gerne | gern | heute | morgen | uhr | sich | dir | mir | ihnen
  `),
  backchannels: {
    hums: list('ach | ach so | achso | naja | tja | oje | ui'),
    assents: list(`
      ja | jaja | ja ja | jep | jo | genau | klar | stimmt | richtig | gut | na gut | in ordnung | alles klar |
      sicher | natürlich | okay gut | eben | gerne | einverstanden | doch
    `),
    reactions: list(`
      verstehe | ich verstehe | verstanden | echt | wirklich | super | toll | prima | schön | interessant | krass |
      ach wirklich | sehr gut | ach ja | aha okay | na klar | macht sinn | ja genau | spannend
    `),
    lookalikes: list('er | um'),
  },
  spokenDigits: list('null | eins | zwei | zwo | drei | vier | funf | sechs | sieben | acht | neun'),
  abbreviations: {
    beforeName: list(`
      nr | hr | fr | frl | dipl | ing | z.b | d.h | u.a | v.a | bzw | vgl | str | tel | evtl | ggf | ca | dr | prof | mio | mrd | tsd | abs |
      inkl | zzgl | mind | bspw | kap | abb | mwst
    `),
    anywhere: list('usw | u.s.w | uvm | z | d | gmbh'),
  },
  commands: list('halt | warte | moment | nein | stopp'),
  objections: list('aber'),
  weakWords: list('der | die | das | und'),
  waitRequests: list('einen moment | moment | einen augenblick | sekunde | warte kurz'),
  politeWords: list('bitte'),
  vocatives: list('mama | papa | schatz | mutti | vati'),
  busyPhrases: list('ich telefoniere | ich bin am telefon | nicht du | ich komme gleich | komme gleich'),
  sideTalk: list('mach die tur zu'),
} as const satisfies Language;
