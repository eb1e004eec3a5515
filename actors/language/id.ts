import { list, type Language } from './language.ts';

/** Indonesian. */
export const id = {
  sentences: {
    goodbye: 'Terima kasih sudah berbicara dengan saya. Sampai jumpa!',
    apology: 'Maaf, saya sedang kesulitan menjawab. Silakan coba lagi sebentar lagi.',
    greetInstruction:
      'Percakapan dimulai. Sapa pengguna dalam bahasa Indonesia dengan satu kalimat pendek dan ramah yang sesuai dengan peranmu.',
    promptInstruction:
      'Pengguna sudah diam beberapa saat. Tanyakan dalam bahasa Indonesia, dengan satu kalimat pendek dan ramah, apakah ia masih di sana atau apa yang bisa kamu bantu. Jangan mengulang pertanyaan sebelumnya kata demi kata.',
  },
  openEndings: {
    words: list(`
      dan | atau | tapi | tetapi | karena | bahwa | kalau | jika | ketika | meskipun | yang | di | ke | dari | untuk |
      dengan | pada | antara | sangat | adalah | sebuah | seorang | eee
    `),
    phrases: list('saya mau | saya ingin | misalnya | apakah | supaya | dan kemudian | nama saya'),
  },
  backchannels: {
    hums: list('wah | oh gitu | nah'),
    assents: list(`
      ya | iya | iya iya | betul | benar | baik | oke | tentu | pasti | setuju | boleh | sip | tentu saja
    `),
    reactions: list(`
      mengerti | saya mengerti | paham | begitu | oh begitu | masa | serius | bagus | menarik | keren | mantap
    `),
  },
} as const satisfies Language;
