/**
 * Whisper writes a caption for every sound: "[Music]", "(wind howling)", "♪", and the last sentences of the videos of
 * its training data. It wrote such a caption for each of 12 clips without speech.
 */

/** Text in brackets, or between asterisks or notes. The closing mark may be missing. */
const DESCRIPTIONS = [/\[[^\]]*(?:\]|$)/gu, /\([^)]*(?:\)|$)/gu, /\*[^*]+\*/gu, /♪[^♪]*(?:♪|$)/gu];

/** Whole texts that nobody says to a persona. Small letters, without punctuation. */
const NOT_SAID: ReadonlySet<string> = new Set([
  'thank you for watching',
  'thanks for watching',
  'thank you so much for watching',
  'thanks for watching and see you in the next video',
  'please subscribe',
  'please subscribe to my channel',
  'like and subscribe',
  'subtitles by the amaraorg community',
  'untertitel der amaraorg community',
  'untertitel im auftrag des zdf für funk 2017',
  'vielen dank fürs zuschauen',
  'soustitres réalisés par la communauté damaraorg',
  'merci davoir regardé cette vidéo',
  'gracias por ver el video',
  'sottotitoli creati dalla comunità amaraorg',
  'grazie per aver guardato il video',
  'obrigado por assistir',
]);

/** @returns the text without what describes sounds; empty if nothing was said. */
export function withoutSoundCaptions(text: string): string {
  const said = DESCRIPTIONS.reduce((rest, description) => rest.replaceAll(description, ' '), text)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (!/[\p{L}\p{N}]/u.test(said)) return '';
  const plain = said
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} ]/gu, '')
    .trim();
  return NOT_SAID.has(plain) ? '' : said;
}

/** "an old-s-y-y-y-y": the same piece of up to 30 letters, four times in a row. Nobody speaks like this. */
const LOOP = /(.{1,30}?)\1{3,}/iu;
/** Digits and their separators are dictated: "4 4 4 4". A drawn-out "nooooo" is one letter. */
const ONE_CHARACTER = /^(?:.|[\d\s.,-]+)$/u;

/** Fewer words are said twice by people: "yes, yes". */
const MIN_PHRASE_LENGTH = 2;

/** "10 of clubs 10 of clubs 10": a phrase of two and more words, again and again, and nothing else. */
function isRepeated(text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[^\p{L}\p{N}']/gu, ''))
    .filter((word) => word !== '');
  for (let phrase = MIN_PHRASE_LENGTH; phrase <= words.length / 2; phrase += 1)
    if (words.every((word, at) => word === words[at % phrase]) && !ONE_CHARACTER.test(words.join(' '))) return true;
  return false;
}

/**
 * @returns whether a reading seems to have gone in circles: it is to be read again in another way. Who did say a phrase
 * twice is understood as well then, only later.
 */
export function isLoop(text: string): boolean {
  if (isRepeated(text)) return true;
  const piece = LOOP.exec(text)?.[1];
  return piece !== undefined && !ONE_CHARACTER.test(piece);
}
