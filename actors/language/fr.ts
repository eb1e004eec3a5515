import { list, type Language } from './language.ts';

/** French. */
export const fr = {
  sentences: {
    goodbye: 'Merci pour cette conversation. Au revoir !',
    apology: "Je suis désolé, j'ai du mal à répondre pour le moment. Réessayez dans un instant, s'il vous plaît.",
    greetInstruction:
      "La conversation commence. Salue l'utilisateur en français en une phrase courte et chaleureuse, conforme à ton rôle.",
    promptInstruction:
      "L'utilisateur se tait depuis un moment. Demande-lui en français, en une phrase courte et aimable, s'il est toujours là ou comment tu peux l'aider. Ne répète pas mot pour mot une question déjà posée.",
  },
  openEndings: {
    words: list(`
      le | la | les | un | une | des | du | de | au | aux | et | ou | mais | donc | car | parce | que | lorsque |
      puisque | comme | mon | ma | mes | ton | ta | tes | son | sa | ses | notre | votre | leurs | ce | cet | cette |
      ces | je | euh | pour | sans | dans | chez | entre | vers | par | sur | sous | très | dont | c'est | j'ai |
      n'est | qu'il | qu'elle
    `),
    phrases: list(`
      je voudrais | je veux | j'aimerais | est ce que | parce que | par exemple | il y a | et puis | afin de |
      à cause de | il faut | je m'appelle | à la | à l
    `),
    opinions: list('je pense | je crois'),
  },
  frequentWords: list(`
    est | sont | suis | es | il | elle | nous | vous | ils | elles | que | qui | où | ne | pas | plus | bien | oui |
    avec | bonjour | merci | cela | ça | ont | avez | fait | peut | être | même | aussi | tout | très | c'est |
    n'est | d'accord
  `),
  backchannels: {
    hums: list('bah | ben | euh | oh là là | tiens'),
    assents: list(`
      oui | ouais | ouai | oui oui | d'accord | bien sûr | exactement | tout à fait | voilà | c'est ça | c'est vrai |
      bien | très bien | absolument | bon | entendu | en effet | vrai | ça marche | pas de problème
    `),
    reactions: list(`
      je vois | je comprends | compris | ah bon | vraiment | super | génial | parfait | intéressant | c'est bien |
      ah oui | ah d'accord | ah ok
    `),
  },
  spokenDigits: list('un | deux | trois | quatre | cinq | sept | huit | neuf'),
  abbreviations: {
    beforeName: list('mme | mlle | m | p.ex | n | art | dr | prof | env | av | bd | c.-à-d'),
  },
  commands: list('arrete | arretez | attends | attendez | non'),
  objections: list('mais'),
  weakWords: list('le | la | et | un | de'),
  waitRequests: list('un moment | une seconde | un instant | attendez'),
  politeWords: list("s'il vous plait"),
  vocatives: list('maman | papa | cherie'),
  busyPhrases: list("je suis au telephone | j'arrive"),
} as const satisfies Language;
