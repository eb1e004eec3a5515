import { list, type Language } from './language.ts';

/** Vietnamese. */
export const vi = {
  sentences: {
    goodbye: 'Cảm ơn bạn đã trò chuyện với tôi. Tạm biệt!',
    apology: 'Xin lỗi, hiện tại tôi chưa trả lời được. Vui lòng thử lại sau giây lát.',
    greetInstruction:
      'Cuộc trò chuyện bắt đầu. Hãy chào người dùng bằng tiếng Việt với một câu ngắn, thân thiện, phù hợp với vai trò của bạn.',
    promptInstruction:
      'Người dùng đã im lặng một lúc. Hãy hỏi bằng tiếng Việt, một câu ngắn và thân thiện, xem họ còn ở đó không hoặc bạn có thể giúp gì. Đừng lặp lại nguyên văn câu hỏi trước.',
  },
  openEndings: {
    words: list(`
      và | hoặc | nhưng | vì | nếu | khi | mà | của | cho | với | từ | là | một | các | những | rất | thì | để
    `),
    phrases: list('tôi muốn | ví dụ | bởi vì | tên tôi là'),
  },
  backchannels: {
    hums: list('ồ | à | ôi'),
    assents: list(`
      ừm | ờ | vâng | dạ | ừ | đúng | đúng rồi | được | được rồi | tốt | chắc chắn | phải | vâng ạ | dạ vâng |
      tất nhiên
    `),
    reactions: list('hiểu rồi | tôi hiểu | thật à | thật sao | hay quá | tuyệt | thú vị | ra vậy'),
  },
} as const satisfies Language;
