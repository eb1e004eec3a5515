/** What a transcription service reports of an utterance. */
export interface HeardUtterance {
  readonly text: string;
  /** Voiced audio, ms. */
  readonly voicedMs: number;
  /** Probability that there is no speech, 0…1. Null: not reported. */
  readonly noSpeech: number | null;
  /** Key terms that were sent to the service. */
  readonly keyTerms: readonly string[];
}

/** Nobody says more letters in a second. Auctioneers say 25. */
const MAX_LETTERS_PER_SECOND = 35;
/** Not even one word is shorter than this. */
const MIN_WORD_MS = 60;
/** Whisper's own limit is 0.6, with doubtful words. */
const NO_SPEECH = 0.8;
/** Two key terms in a row repeat the prompt; a single one may have been said. */
const MIN_TERMS = 2;

/**
 * Subtitles at the end of videos, which such models have learned to write after silence: thanks for watching, requests
 * to subscribe, and who wrote the subtitles. Nobody says them in a conversation.
 */
const VIDEO_SUBTITLES = new RegExp(
  [
    'amara\\.?org',
    '^(thank you|thanks)( so much| very much)? for (watching|listening|viewing)\\b',
    "^(please )?(don[’']t forget to )?(like( and|,)? )?subscribe( to (my|our|the) channel)?\\W*$",
    '^(subtitles|captions|transcription|translated|transcribed) by\\b',
    '^untertitel(ung)?\\b.*(zdf|ard|swr|wdr|funk|im auftrag|von)|^copyright (wdr|ard|swr|zdf)\\b',
    '^(vielen dank|danke)( schön)? für(s| das) zuschauen',
    "^sous-?titr(es|age)\\b|^merci d[’']avoir (regardé|visionné)|^abonnez[- ]vous",
    '^subt[íi]tulos (realizados |hechos )?por|^¡?suscr[íi]bete',
    '^¡?(muchas )?gracias por (vernos|(ver|mirar|ver el|ver este|mirar el|mirar este) v[íi]deo)',
    '^sottotitoli\\b.*(di|a cura|creati)|^grazie (mille )?per (aver |la )(guardato|visione)|^iscriviti al canale',
    '^legendas? (pela|por)\\b|^obrigad[oa] por assistir|^inscreva-se no',
    '^ondertitel(s|ing|d)\\b|^bedankt voor het kijken|^tv gelderland\\b',
    '^(undertexter|svensktextning|textning|tekstning|teksting|undertekster|tekstitys|suomennos)\\b',
    '^napisy\\b|^dziękuj(ę|emy) za (oglądanie|uwagę i oglądanie)|^titulky (vytvořil|vytvoril)|^feliratok\\b',
    'субтитры (с?делал|создавал|создал|подогнал|добавил)|^редактор субтитров|^продолжение следует|^спасибо за просмотр',
    '^подписывайтесь на (мой |наш )?канал|^субтитри\\b|^дякую за перегляд',
    '^altyazı\\b|^[iİ]zlediğiniz için teşekkür|^abone olmayı unutmayın',
    '^υπότιτλοι\\b|^ترجمة نانسي|^اشترك(وا)? في القناة|^شكرا (لك )?على المشاهدة|^תודה (רבה )?(על הצפייה|שצפיתם)',
    '^terima kasih (telah|sudah) (menonton|menyaksikan)',
    '^(hãy )?(subscribe|đăng ký) (cho )?kênh|^cảm ơn các bạn đã (xem|theo dõi)',
    '^ขอบคุณ(ที่|สำหรับการ)(รับชม|ติดตาม)|^देखने के लिए धन्यवाद',
    'ご視聴ありがとう|チャンネル登録|最後までご覧|字幕(by|由|製作|制作|志愿者|志願者)',
    '请不吝点赞|(謝謝|谢谢|感謝|感谢)(大家)?(的)?(觀看|观看|收看)|明镜与点点|優優獨播劇場|请订阅|請訂閱',
    '시청해\\s?주셔서|한글\\s?자막|구독과 좋아요|자막 제공|mbc 뉴스.*입니다|^다음 영상에서 만나',
    // To like, to share, to come back, in the words of the same videos.
    "^(don[’']t forget to )?(please )?like,? (and |comment,? (and |& )?|share,? (and |& )?)subscribe|^hit the bell\\b",
    "^(i[’']ll |we[’']ll )?see you in the next (video|one|episode)|^(please )?leave (a|your) comments? (down )?below",
    '^(for more (information|un videos)[, ]*(please )?visit )?www\\.[a-z-]+\\.(org|gov|com)\\W*$|^satsang with mooji',
    '^(©|copyright) .*(tv|broadcasting|corporation|20\\d\\d)\\W*$|^eso\\. translation|^by索兰娅|^詞曲|^词曲|^次回予告',
    "^n[’']oubliez pas de vous abonner|^merci d[’']avoir (écouté|suivi cette)|^(vergesst nicht zu abonnieren|abonniert (den|meinen) kanal)",
    '^(bis zum|hasta el|até o|nos vemos en el) (nächsten|próximo) (video|vídeo)',
    '^no olvides (suscribirte|darle)|^(não se esqueça de )?se inscrev(a|er) no',
    '^iscrivetevi al canale|^vergeet niet te abonneren|^tack för att (ni|du) (tittade|har tittat)',
    '^takk for at (du|dere) så|^tak fordi (du|i) så med',
    '^kiitos katsomisesta|^hvala (što pratite|za gledanje)|^mulțumesc pentru vizionare|^nu uitați să vă abonați|^köszönöm,? hogy megnézted',
    '^d[eě]kuji za sledování|^ačiū,? kad žiūr|^paldies par skatīšanos|^aitäh vaatamast|^zdjęcia i montaż',
    '^корректор [а-я]|^субтитры подготовил|^dimatorzok\\b|^подпишись|^ставьте лайки|^подписывайтесь',
    '^hẹn gặp lại các bạn trong (những )?video|^terjemahan oleh|^شكرا للمشاهدة|^تابعونا|^ترجمه و زیرنویس',
    '^अगले वीडियो में मिलते|^सब्सक्राइब करें|^videoyu beğenmeyi unutmayın|^bir sonraki videoda',
  ]
    // A letter of another script is no part of a word for `\\b`.
    .map((sentence) => sentence.replaceAll('\\b', '(?![\\p{L}\\p{N}])'))
    .join('|'),
  'iu',
);
/** "[BLANK_AUDIO]", "(coughs)", "♪". */
const ONLY_A_NOISE = /^(?:\s*(?:<\|[^|]*\|>|\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|【[^】]*】|（[^）]*）|[♪♫.…\s-]+)\s*)+$/u;

/**
 * Whether the words are hallucinated. Whisper and its relatives also write something for a cough or a "hm". As a user
 * turn, it would be answered.
 */
export function isHallucination({ text, voicedMs, noSpeech, keyTerms }: HeardUtterance): boolean {
  const words = plain(text);
  if (words === '') return true;
  if (ONLY_A_NOISE.test(text) || VIDEO_SUBTITLES.test(text.trim())) return true;
  if (noSpeech !== null && noSpeech >= NO_SPEECH) return true;
  if (isOfPrompt(words, keyTerms)) return true;
  // Where no voice is measured, whoever cut the utterance out heard one that is too quiet for that.
  if (voicedMs === 0) return false;
  return voicedMs < MIN_WORD_MS || (words.length * 1000) / voicedMs > lettersPerSecond(words);
}

/** A character of Chinese or Korean takes as long as three letters. */
function lettersPerSecond(words: string): number {
  return /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(words)
    ? MAX_LETTERS_PER_SECOND / 2
    : MAX_LETTERS_PER_SECOND;
}

function isOfPrompt(words: string, keyTerms: readonly string[]): boolean {
  const terms = keyTerms.map(plain).filter((term) => term !== '');
  const prompt = terms.join('');
  return prompt.includes(words) && terms.filter((term) => words.includes(term)).length >= MIN_TERMS;
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Samples of 16 kHz that are looked at together: 20 ms. */
const FRAME = 320;
const FRAME_MS = 20;
/** Share of the loudest frame; what is quieter is the room. */
const VOICED_SHARE = 0.1;
/** A frame below this is silence whatever the others are. */
const MIN_LEVEL = 60;

/** ms of a sound of 16 kHz in which there is a voice, or a cough. */
export function voicedMsOf(pieces: readonly Int16Array[]): number {
  const levels: number[] = [];
  let [sum, count] = [0, 0];
  for (const piece of pieces)
    for (const sample of piece) {
      sum += sample * sample;
      count += 1;
      if (count < FRAME) continue;
      levels.push(Math.sqrt(sum / FRAME));
      [sum, count] = [0, 0];
    }
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0);
  return levels.filter((level) => level > Math.max(MIN_LEVEL, loudest * VOICED_SHARE)).length * FRAME_MS;
}
