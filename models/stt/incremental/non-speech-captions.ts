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
export function withoutNonSpeechCaptions(text: string): string {
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
