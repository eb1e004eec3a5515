import type { Language } from './language.ts';

export const es: Language = {
  marks:
    'el los las y yo tú usted es son no un una con cómo qué para por en del que muy mi me gracias español hablar puedes está estoy hola'.split(
      ' ',
    ),
  hears: {
    hello: /^(hola|buenos días|buenas( tardes| noches)?|buen día)( \w+)?$/,
    howAreYou: /(cómo (estás|está|te va|va)|qué tal)/,
    thanks: /(?:^| )gracias(?= |$)/,
    goodbye: /(adiós|hasta (luego|pronto|mañana|la vista)|chao|nos vemos)/,
    pause: /(?:^| )(un (momento|segundo|minuto)|espera|espere|déjame pensar)(?= |$)/,
    whoAreYou: /(quién eres|quién es usted|cómo te llamas|cuál es tu nombre|qué eres)/,
    whatCanYouDo: /(qué (puedes|sabes) hacer|ayúdame|me puedes ayudar)/,
    myNameIs: /(?:me llamo|mi nombre es|llámame)\s+([\p{L}'-]+)/u,
    whatIsMyName: /(cómo me llamo|cuál es mi nombre|quién soy)/,
    yes: /^(sí|claro|por supuesto|vale|de acuerdo|exacto|ok)( gracias)?$/,
    no: /^(no|no gracias|la verdad no|mejor no)$/,
  },
  says: {
    greeting: ['¡Hola{name}! Me alegro de verte. ¿De qué quieres hablar?', '¡Hola{name}! ¿En qué puedo ayudarte?'],
    hello: ['¡Hola{name}! ¿Qué tienes en mente?', '¡Hola{name}, qué gusto oírte!'],
    fine: ['Estoy muy bien, gracias. ¿Y tú?'],
    welcome: ['¡De nada! ¿Algo más?'],
    goodbye: ['¡Adiós{name}! Ha sido un placer hablar contigo.'],
    pause: ['Claro, tómate tu tiempo. Aquí estoy.'],
    stillThere: [
      '¿Sigues ahí{name}?',
      'Aquí estoy cuando quieras seguir.',
      'Tómate tu tiempo. ¿Puedo ayudarte en algo?',
    ],
    iAm: ['Soy {topic}.', 'Me llamo {topic}.'],
    offlineLlm: [
      'Para ser sincera, soy la mente sin conexión de Parley: unas pocas reglas, no un gran modelo de lenguaje. Puedo charlar un poco, responder con documentos y usar herramientas.',
    ],
    niceToMeet: ['¡Encantada de conocerte{name}! ¿Qué te trae por aquí?'],
    yourNameIs: ['Me dijiste que te llamas {topic}.'],
    nameUnknown: ['Todavía no me has dicho tu nombre. ¿Cómo te llamas?'],
    languageChanged: ['Claro, hablemos en español. ¿De qué quieres hablar?'],
    nothingFound: ['No he encontrado nada sobre eso en mis documentos. ¿Puedes preguntarlo de otra forma?'],
    done: ['Ya está hecho.'],
    failed: ['Lo siento, no ha funcionado. ¿Probamos otra cosa?'],
    running: ['Lo he empezado; todavía está en marcha.'],
    endCall: ['¿Quieres terminar nuestra conversación?'],
    whichValue: ['¿Qué debo usar como {topic}?'],
    dontKnow: [
      'Eso no lo sé, lo siento. Mi mente sin conexión solo sabe lo que le cuentan.',
      'Eso supera mis reglas sencillas. ¿Qué sabes tú de eso?',
    ],
    encouragement: ['Entiendo. Cuéntame más.', 'Qué interesante. Sigue, por favor.'],
    tellMeMore: ['Has mencionado {topic}. ¿Qué es lo que más te importa de eso?', 'Cuéntame más sobre {topic}.'],
    allRight: ['Muy bien. ¿Qué quieres hacer ahora?'],
  },
};
