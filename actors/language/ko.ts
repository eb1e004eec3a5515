import { list, type Language } from './language.ts';

/** Korean. */
export const ko = {
  sentences: {
    goodbye: '대화해 주셔서 감사합니다. 안녕히 계세요!',
    apology: '죄송합니다. 지금은 답변하기 어렵습니다. 잠시 후 다시 시도해 주세요.',
    greetInstruction: '대화가 시작됩니다. 당신의 역할에 맞는 짧고 친근한 한 문장으로 사용자에게 한국어로 인사하세요.',
    promptInstruction:
      '사용자가 한동안 말이 없습니다. 아직 계신지 또는 무엇을 도와드릴지 한국어로 짧고 친근한 한 문장으로 물어보세요. 이전 질문을 그대로 반복하지 마세요.',
  },
  openSuffixes: list(`
    고 | 지만 | 아서 | 어서 | 해서 | 으면 | 려고 | 이랑 | 그래서 | 그런데 | 근데 | 그러면 | 왜냐하면 | 을 | 를 | 은 | 는 | 에서 | 저기 | 만약 | 제 이름은
  `),
  closedWords: list('처음은'),
  backchannels: {
    hums: list('음 | 으음 | 흠 | 아 | 오 | 와 | 하하 | 에'),
    assents: list(`
      어 | 네 | 네네 | 예 | 응 | 그래 | 그래요 | 맞아 | 맞아요 | 그렇죠 | 그렇지 | 그럼 | 그럼요 | 좋아 | 좋아요 | 알았어 | 물론 | 물론이죠 | 당연하죠 | 오케이
    `),
    reactions: list(
      '알겠어요 | 알겠습니다 | 그렇군요 | 그렇구나 | 아하 | 정말 | 정말요 | 진짜 | 진짜요 | 대박 | 이해했어요 | 좋네요 | 재미있네요 | 아 그래요',
    ),
  },
} as const satisfies Language;
