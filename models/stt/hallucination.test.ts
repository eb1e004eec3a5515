import { describe, expect, it } from 'vitest';
import { isHallucination, voicedMsOf } from './hallucination.ts';

const heard = (text: string, voicedMs = 1500, more: Partial<Parameters<typeof isHallucination>[0]> = {}) => ({
  text,
  voicedMs,
  noSpeech: null,
  keyTerms: ['Elena', 'Hotel Sonne', 'Parley'],
  ...more,
});

// A cough or a "hm" became a turn of the user's and was answered.
describe('Words that a recognizer makes up', () => {
  it.each([
    ['Thank you for watching!', 400],
    ['Thanks for watching.', 2000],
    ['Subtitles by the Amara.org community', 2000],
    ['Untertitel der Amara.org-Community', 2000],
    ['Untertitelung des ZDF, 2020', 2000],
    ["Sous-titres réalisés para la communauté d'Amara.org", 2000],
    ['ご視聴ありがとうございました', 2000],
    ['Продолжение следует...', 2000],
    ['[BLANK_AUDIO]', 2000],
    ['(coughs)', 300],
    ['♪', 2000],
    ['Elena, Hotel Sonne, Parley', 2000],
    ['Hotel Sonne, Parley', 300],
    ['Thank you.', 120],
    ['I will see you in the next video.', 300],
    ['', 300],
  ])('%s in %i ms are none', (text, voicedMs) => expect(isHallucination(heard(text, voicedMs))).toBe(true));

  // Each was answered: only the sentences of the largest languages were known.
  it.each([
    'Vielen Dank fürs Zuschauen!',
    'Copyright WDR 2021',
    "Merci d'avoir regardé cette vidéo !",
    '¡Gracias por ver el video!',
    '¡Suscríbete al canal!',
    'Obrigado por assistir.',
    'Grazie per aver guardato il video.',
    'Bedankt voor het kijken.',
    'Tekstning af Nicolai Winther',
    'Titulky vytvořil JohnyX.',
    'Dziękuję za oglądanie.',
    'Субтитры делал DimaTorzok',
    'Редактор субтитров А.Семкин Корректор А.Егорова',
    'Спасибо за просмотр!',
    'Altyazı M.K.',
    'İzlediğiniz için teşekkür ederim.',
    'Υπότιτλοι AUTHORWAVE',
    'ترجمة نانسي قنقر',
    'اشتركوا في القناة',
    'Terima kasih telah menonton!',
    'Hãy subscribe cho kênh Ghiền Mì Gõ',
    'ขอบคุณที่รับชม',
    '字幕志愿者 李宗盛',
    '谢谢大家观看',
    '최종 한글자막 by 박진희',
    'MBC 뉴스 이덕영입니다.',
    'Don’t forget to like, share and subscribe!',
    'See you in the next video!',
    'For more UN videos visit www.un.org',
    '© BF-WATCH TV 2021',
    'Takk for at du så på!',
    'Tack för att ni tittade!',
    'Kiitos katsomisesta!',
    'Hvala što pratite kanal.',
    'Mulțumesc pentru vizionare!',
    'Děkuji za sledování.',
    "N'oubliez pas de vous abonner !",
    'Bis zum nächsten Video.',
    'Não se esqueça de se inscrever no canal!',
    'Vergeet niet te abonneren.',
    'Корректор А.Кулакова',
    'شكرا للمشاهدة',
    'अगले वीडियो में मिलते हैं',
    '詞曲 李宗盛',
    '<|nospeech|>',
  ])('%s is none in any language', (text) => expect(isHallucination(heard(text, 2000))).toBe(true));

  it('are known by the service', () => expect(isHallucination(heard('You', 900, { noSpeech: 0.95 }))).toBe(true));

  it.each([
    ['Yes.', 200],
    ['No', 160],
    ['Thank you.', 500],
    ['Elena', 400],
    ['Hotel Sonne', 600],
    ['Is the Hotel Sonne open today, Elena?', 1800],
    ['How do I subscribe to your newsletter?', 1900],
    ['Can you make subtitles by tomorrow?', 1700],
    ['Vielen Dank für das Frühstück.', 1500],
    ['Gracias por ver a mi madre.', 0],
    ['Merci beaucoup.', 700],
    ['Спасибо за завтрак.', 1200],
    ['謝謝', 500],
    ['Subtitles, please.', 900],
    ['はい', 250],
    ['See you next week.', 900],
    ['I like that. Please leave a message below.', 1900],
    ['Tack för att du kom.', 1100],
    ['Bis zum nächsten Mal.', 1200],
    ['Visit www.example.org and tell me what you see.', 2500],
    ['二', 200],
  ])('are not %s in %i ms', (text, voicedMs) =>
    expect(isHallucination(heard(text, voicedMs, { noSpeech: 0.1 }))).toBe(false),
  );
});

describe('The voiced part of a sound', () => {
  it('is what is not the room', () => {
    const sound = (ms: number, level: number) =>
      Int16Array.from({ length: ms * 16 }, (_, index) => (index % 2 === 0 ? level : -level));
    expect(voicedMsOf([sound(500, 20), sound(200, 8000), sound(300, 30)])).toBe(200);
    expect(voicedMsOf([sound(500, 5)])).toBe(0);
  });
});
