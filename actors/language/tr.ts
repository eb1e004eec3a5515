import { list, type Language } from './language.ts';

/** Turkish. */
export const tr = {
  sentences: {
    goodbye: 'Benimle konuştuğunuz için teşekkürler. Hoşça kalın!',
    apology: 'Üzgünüm, şu anda yanıt vermekte zorlanıyorum. Lütfen biraz sonra tekrar deneyin.',
    greetInstruction:
      'Konuşma başlıyor. Kullanıcıyı Türkçe olarak, rolüne uygun kısa ve samimi tek bir cümleyle selamla.',
    promptInstruction:
      'Kullanıcı bir süredir sessiz. Hâlâ orada olup olmadığını ya da nasıl yardımcı olabileceğini Türkçe, kısa ve samimi tek bir cümleyle sor. Önceki bir soruyu kelimesi kelimesine tekrarlama.',
  },
  openEndings: {
    words: list(`
      ve | veya | ya | ama | fakat | çünkü | eğer | ki | ile | bir | daha | hem | yani | ııı | eee
    `),
    phrases: list('mesela | örneğin | ondan sonra | bunun için | benim adım'),
  },
  backchannels: {
    hums: list('hı | haa | vay | vay be'),
    assents: list(`
      hıhı | hı hı | evet | tamam | peki | doğru | tabii | tabii ki | aynen | kesinlikle | olur | iyi | elbette |
      haklısın | öyle
    `),
    reactions: list(`
      anladım | anlıyorum | gerçekten mi | öyle mi | süper | harika | güzel | ilginç | çok güzel | hadi ya
    `),
  },
  abbreviations: {
    anywhere: list('vb | vs'),
  },
} as const satisfies Language;
