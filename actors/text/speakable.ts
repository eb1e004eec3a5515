/**
 * Turns written text into words to say: no markup, no emoji, no spelled-out addresses. One sentence at a time; blocks
 * that span sentences (code, tool calls) are removed before, by `strip-markup.ts`.
 */

/** @returns plain text on one line, trimmed; empty when there is nothing to say. */
export function speakable(text: string): string {
  const plain = text
    .trim()
    .replaceAll(/!\[([^\]]*)\]\([^)\s]*(?:\s[^)]*)?\)/g, '$1')
    .replaceAll(/\[([^\]]+)\]\([^)\s]*(?:\s[^)]*)?\)/g, '$1')
    .replaceAll(/<(https?:\/\/[^>\s]+)>/g, '$1')
    .replaceAll(/(?:https?:\/\/|www\.)[^\s<>"'）)\]]+/gi, spokenAddress)
    .replaceAll(/<\/?[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]*)?\/?>/g, ' ')
    .replaceAll(/`+([^`]*)`+/g, '$1')
    .replaceAll(/^[ \t]*(?:#{1,6}\s+|>\s?|[-*+•]\s+|-{3,}\s*$|\*{3,}\s*$|_{3,}\s*$)/gm, '')
    .replaceAll(/(\*{1,3}|~~|__)(?=\S)(.+?)(?<=\S)\1/gs, '$2')
    .replaceAll(/(?<![\p{L}\p{N}])_(?=\S)([^_]+)(?<=\S)_(?![\p{L}\p{N}])/gu, '$1')
    .replaceAll(/\*{1,3}|~~/g, '')
    .replaceAll(/^\s*\|?[\s:|-]*-{3,}[\s:|-]*\|?\s*$/gm, '')
    .replaceAll(/\s*\|\s*/g, ', ')
    .replaceAll(
      /(?:\p{Extended_Pictographic}|\p{Regional_Indicator})(?:\p{Emoji_Modifier}|\ufe0f|\u200d\p{Extended_Pictographic})*/gu,
      '',
    )
    .replaceAll(/\u{fe0f}|\u{200d}|\u{20e3}/gu, '')
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!>])/g, '$1')
    .replaceAll(/^[,\s]+|\s+/g, (_, at: number) => (at === 0 ? '' : ' '))
    .replaceAll(/ +([,.!?;:])/g, '$1')
    .trim();
  return /[\p{L}\p{N}]/u.test(plain) ? plain : '';
}

/** An address as a person would name it: the host. */
function spokenAddress(address: string): string {
  const end = /[.,!?;:]+$/.exec(address)?.[0] ?? '';
  const host =
    address
      .slice(0, address.length - end.length)
      .replace(/^https?:\/\//i, '')
      .replace(/^www\./i, '')
      .split(/[/?#]/)[0] ?? '';
  return host + end;
}
