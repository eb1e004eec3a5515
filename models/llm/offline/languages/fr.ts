import type { Language } from './language.ts';

export const fr: Language = {
  marks:
    "le la les et je tu vous est sont pas un une avec comment que quoi pour dans des du ce qui c'est j'ai ai mon ma français parler s'il".split(
      ' ',
    ),
  hears: {
    hello: /^(bonjour|salut|bonsoir|coucou|allô|allo)( \w+)?$/,
    howAreYou: /(?:^| )(comment (ça va|vas-tu|vas tu|allez-vous|allez vous)|ça va)(?= |$)/,
    thanks: /(?:^| )merci(?= |$)/,
    goodbye: /(?:^| )(au revoir|à bientôt|adieu|bonne (journée|soirée)|à plus)/,
    pause: /(?:^| )(un (moment|instant)|une (minute|seconde)|attends|attendez|laisse-moi réfléchir)(?= |$)/,
    whoAreYou:
      /(?:^| )(qui es-tu|qui es tu|qui êtes-vous|qui êtes vous|tu t'appelles comment|comment (tu t'appelles|vous appelez-vous|t'appelles-tu)|quel est ton nom)/,
    whatCanYouDo: /(que (peux-tu|pouvez-vous|sais-tu) faire|tu peux faire quoi|aide-moi|aidez-moi)/,
    myNameIs: /(?:je m'appelle|mon nom est|appelle-moi)\s+([\p{L}'-]+)/u,
    whatIsMyName: /(comment je m'appelle|quel est mon nom|qui suis-je)/,
    yes: /^(oui|d'accord|bien sûr|ouais|exactement|volontiers|ok)( merci)?$/,
    no: /^(non|pas vraiment|non merci)$/,
  },
  says: {
    greeting: [
      'Bonjour{name} ! Ravi de vous voir. De quoi voulez-vous parler ?',
      'Bonjour{name} ! Que puis-je faire pour vous ?',
    ],
    hello: ["Bonjour{name} ! Qu'est-ce qui vous amène ?", 'Bonjour{name}, content de vous entendre !'],
    fine: ['Je vais bien, merci. Et vous ?'],
    welcome: ['Je vous en prie ! Puis-je faire autre chose ?'],
    goodbye: ["Au revoir{name} ! C'était un plaisir de parler avec vous."],
    pause: ['Bien sûr, prenez votre temps. Je suis là.'],
    stillThere: [
      'Êtes-vous toujours là{name} ?',
      'Je suis là quand vous voudrez continuer.',
      'Prenez votre temps. Puis-je vous aider ?',
    ],
    iAm: ['Je suis {topic}.', "Je m'appelle {topic}."],
    offlineLlm: [
      "Pour être honnête, je suis l'esprit hors ligne de Parley : quelques règles, pas un grand modèle de langage. Je peux bavarder un peu, répondre à partir de documents et utiliser des outils.",
    ],
    niceToMeet: ["Enchanté{name} ! Qu'est-ce qui vous amène ?"],
    yourNameIs: ["Vous m'avez dit que vous vous appelez {topic}."],
    nameUnknown: ["Vous ne m'avez pas encore dit votre nom. Comment vous appelez-vous ?"],
    languageChanged: ['Volontiers, parlons français. De quoi voulez-vous parler ?'],
    nothingFound: ["Je n'ai rien trouvé à ce sujet dans mes documents. Pouvez-vous le demander autrement ?"],
    done: ["C'est fait."],
    failed: ["Désolé, cela n'a pas marché. On essaie autre chose ?"],
    running: ["C'est lancé, mais pas encore terminé."],
    endCall: ['Voulez-vous terminer notre conversation ?'],
    whichValue: ['Que dois-je utiliser pour {topic} ?'],
    dontKnow: [
      "Je ne le sais pas, désolé. Mon esprit hors ligne ne connaît que ce qu'on lui dit.",
      "Cela dépasse mes règles simples. Qu'en savez-vous ?",
    ],
    encouragement: ["Je vois. Dites-m'en plus.", 'Intéressant. Continuez, je vous en prie.'],
    tellMeMore: [
      'Vous avez parlé de {topic}. Qu’est-ce qui compte le plus pour vous ?',
      'Parlez-moi encore de {topic}.',
    ],
    allRight: ["D'accord. Que voulez-vous faire ensuite ?"],
  },
};
