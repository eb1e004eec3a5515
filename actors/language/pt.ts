import { list, type Language } from './language.ts';

/** Portuguese. */
export const pt = {
  sentences: {
    goodbye: 'Obrigado pela conversa. Até logo!',
    apology: 'Desculpe, estou com dificuldade para responder agora. Tente novamente daqui a pouco, por favor.',
    greetInstruction:
      'A conversa começa. Cumprimente o usuário em português com uma frase curta e simpática, de acordo com o seu papel.',
    promptInstruction:
      'O usuário está em silêncio há algum tempo. Pergunte em português, com uma frase curta e simpática, se ele ainda está aí ou como você pode ajudar. Não repita uma pergunta anterior palavra por palavra.',
  },
  openEndings: {
    words: list(`
      o | a | os | as | um | uma | uns | umas | de | do | da | dos | das | em | no | na | nos | nas | ao | à | aos |
      às | por | pelo | pela | para | pra | com | sem | entre | sobre | e | ou | mas | porque | pois | se | quando |
      embora | que | minha | minhas | nosso | nossa | este | estas | esse | essas | tão | cada | hum
    `),
    phrases: list(`
      eu gostaria | gostaria de | eu quero | quero | preciso de | por exemplo | é que | tenho que | para que |
      e depois | e aí | vou | meu nome é
    `),
    opinions: list('eu acho que | acho que'),
  },
  frequentWords: list(`
    é | são | está | não | sim | muito | bem | obrigado | obrigada | olá | você | vocês | eu | ele | ela | nós |
    isso | mais | também | tem | pode | custa
  `),
  backchannels: {
    hums: list('ué | nossa | puxa | opa'),
    assents: list(`
      sim | sim sim | claro | certo | tá | tá bom | está bem | tudo bem | isso | isso mesmo | exato | exatamente |
      com certeza | verdade | é verdade | bom | muito bem | beleza | pois | pois é | é | concordo | perfeito
    `),
    reactions: list(`
      entendi | entendo | percebo | sério | a sério | legal | ótimo | que bom | interessante | ah sim | fixe | ah tá |
      bacana | jura
    `),
    lookalikes: list('um'),
  },
  spokenDigits: list('zero | um | dois | tres | quatro | cinco | seis | sete | oito | nove'),
  abbreviations: {
    beforeName: list('sr | sra | dr | dra | p.ex | av | aprox | pág | exmo'),
  },
  commands: list('pare | para | espera | espere | nao'),
  weakWords: list('a | e | o | um | de'),
  waitRequests: list('um momento | um segundo | espere um momento'),
  politeWords: list('por favor'),
} as const satisfies Language;
