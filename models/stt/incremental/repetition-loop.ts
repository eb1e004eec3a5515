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
