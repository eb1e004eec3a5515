/**
 * Letters of Western Europe as computers wrote them before Windows: no detector tells them from those of Windows, since
 * every byte means something there, too. Which letters come out tells.
 */

/** What MS-DOS showed for the bytes from 0x80 on (code page 850). `TextDecoder` does not know it. */
const DOS =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0';

export const DOS_CHARSET = 'ibm850';
/** What a text may call it; for letters, the older one of America is the same. */
export const DOS_NAMES = /^(?:cs)?(?:ibm|cp)[-_]?(?:437|850|858)$/i;

export function decodeDos(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : DOS[byte - 0x80]!;
  return text;
}

/** Detectors name one of these for everything that is written in Latin letters. */
const TAKEN_FOR = /^(windows-125[0247]|iso-8859-(1|2|9|13|15|16)|macintosh)$/;
/** And one of these where other letters are few. */
const OF_TWO_BYTES = /^(shift_jis|euc-\w+|gb18030|gbk|big5)$/;
/** So many ASCII letters to each other byte are no text of East Asia. */
const FEW = 3;
/** What stands in texts of Western Europe, besides ASCII. */
const USUAL = /[äöüÄÖÜßéèêëàâáãåçñíóúôõîïûùøæœÉÈÀÅØ°§€£“”„‘’‚–—…«»¿¡\u00A0]/g;
/** Capital letters and signs in the middle of a word, and pieces of frames. */
const UNUSUAL = /(?<=\p{Ll})[^\p{Ll}\p{M}\0-\x7f‘’–—…“”»°€\u00A0]|[\u2500-\u25A0\u0080-\u009f\uFFFD]/gu;
/** From the Windows reading on, an older one has to be better by this part of the letters. */
const CLEARLY = 0.4;

function isMostlyAscii(sample: Buffer): boolean {
  let [letters, others] = [0, 0];
  for (const byte of sample) {
    if (byte > 0x7f) others += 1;
    else if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) letters += 1;
  }
  return letters >= FEW * others;
}

/** @returns `charset`, or the older one by which the text has the letters of Western Europe. */
export function detectLegacyCharset(sample: Buffer, charset: string): string {
  if (!TAKEN_FOR.test(charset) && !(OF_TWO_BYTES.test(charset) && isMostlyAscii(sample))) return charset;
  const rate = (text: string): number => {
    const foreign = text.match(/[^\0-\x7f]/g)?.length ?? 0;
    return ((text.match(USUAL)?.length ?? 0) - (text.match(UNUSUAL)?.length ?? 0)) / Math.max(1, foreign);
  };
  const decoded = (name: string): string =>
    name === DOS_CHARSET ? decodeDos(sample) : new TextDecoder(name).decode(sample);
  const given = rate(decoded(charset));
  const [best] = ['windows-1252', 'macintosh', DOS_CHARSET]
    .map((name) => ({ name, rated: rate(decoded(name)) }))
    .toSorted((a, b) => b.rated - a.rated);
  return best!.rated > 0.8 && best!.rated - given > CLEARLY ? best!.name : charset;
}
