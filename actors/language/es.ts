import { list, type Language } from './language.ts';

/** Spanish. */
export const es = {
  sentences: {
    goodbye: 'Gracias por hablar conmigo. ¡Hasta pronto!',
    apology: 'Lo siento, ahora mismo tengo problemas para responder. Inténtalo de nuevo en un momento.',
    greetInstruction:
      'La conversación empieza. Saluda al usuario en español con una frase breve y amable que encaje con tu papel.',
    promptInstruction:
      'El usuario lleva un rato en silencio. Pregúntale en español, con una frase breve y amable, si sigue ahí o en qué puedes ayudarle. No repitas literalmente una pregunta anterior.',
  },
  openEndings: {
    words: list(`
      el | la | los | las | un | una | unos | unas | de | del | al | y | e | o | u | pero | porque | pues | si |
      cuando | aunque | mientras | que | como | mi | mis | tu | tus | su | sus | nuestro | nuestra | este | estos |
      estas | eh | con | para | por | sin | en | entre | hacia | hasta | desde | según | muy | tan | cada | algún |
      ningún
    `),
    phrases: list(`
      me gustaría | quiero | quisiera | necesito | por ejemplo | es que | lo que | tengo que | hay que | para que |
      ya que | y luego | voy a | me llamo | mi nombre es | a la
    `),
    opinions: list('creo que | pienso que'),
  },
  frequentWords: list(`
    es | está | están | son | soy | hay | qué | cómo | dónde | no | sí | muy | bien | gracias | hola | yo | él |
    ella | nosotros | usted | ustedes | se | le | lo | más | también | todo | tiene | puede | cuesta | buenos
  `),
  backchannels: {
    hums: list('ay | vaya | uy | pues'),
    assents: list(`
      ajá | sí | sí sí | claro | claro que sí | vale | vale vale | exacto | exactamente | correcto | bueno | bien |
      muy bien | de acuerdo | cierto | es verdad | así es | eso es | perfecto | por supuesto | ya | ya ya | dale |
      eso | desde luego
    `),
    reactions: list(`
      entiendo | ya veo | entendido | comprendo | de verdad | en serio | genial | qué bien | interesante | ah ya |
      ah sí | ah bueno | qué bueno | ya entiendo
    `),
  },
  spokenDigits: list('cero | uno | dos | tres | cuatro | cinco | seis | siete | ocho | nueve'),
  abbreviations: {
    beforeName: list(
      'sr | sra | srta | dra | ud | uds | núm | pág | p.ej | sto | sta | dr | ee | uu | av | avda | aprox | ej',
    ),
  },
  commands: list('para | espera | espere | no'),
  objections: list('pero'),
  weakWords: list('el | la | y | e | o | un | de'),
  waitRequests: list('un momento | un segundo | espera | espera un momento'),
  politeWords: list('por favor'),
  vocatives: list('mama | papa | carino'),
  busyPhrases: list('estoy al telefono | ya voy'),
} as const satisfies Language;
