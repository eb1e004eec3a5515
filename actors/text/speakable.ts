import { withoutEntities, withoutTags } from './html-markup.ts';
import { withoutLatex } from './latex-math.ts';

/**
 * Turns written text into words to say: no markup, no emoji, no spelled-out addresses. One sentence at a time; blocks
 * that span sentences (code, tool calls) are removed before, by `strip-markup.ts`.
 */

/** Where hosted models say from which file they know it: "【4:0†source】". */
const CITATION = / ?【[^】]{0,80}】/g;

/** Faces and hearts of letters: ":)", ";-)", ":-D", "<3". A list may end with ":" and a bracket follow. */
const EMOTICON = /(?<![^\s])(?:[:;=8]['’]?-?[)(DPp]{1,3}|<3+|:['’]?-?[/\\|]|\^_\^|xD+|XD+)(?=[\s.,!?]|$)/g;

/** @returns plain text on one line, trimmed; empty when there is nothing to say. */
export function speakable(text: string): string {
  const plain = withoutEntities(
    withoutMarkdown(withoutLatex(text.replaceAll(CITATION, '').replaceAll('\u{fffd}', '').trim())),
  )
    .replaceAll(
      /(?:\p{Extended_Pictographic}|\p{Regional_Indicator})(?:\p{Emoji_Modifier}|\ufe0f|\u200d\p{Extended_Pictographic})*/gu,
      '',
    )
    .replaceAll(/\u{fe0f}|\u{200d}|\u{20e3}/gu, '')
    .replaceAll(EMOTICON, '')
    .replaceAll(/^[,\s]+|\s+/g, (_, at: number) => (at === 0 ? '' : ' '))
    .replaceAll(/ +(?=[,?;:]|!(?!=)|\.(?!\d))/g, '')
    .replaceAll(/(?<=\p{L}\.\p{L}\.)\.(?!\.)/gu, '')
    .trim();
  return /[\p{L}\p{N}]/u.test(plain) ? plain : '';
}

/** Names of emoji, as chats write them: ":smile:". */
const SHORTCODE = /(?<![\p{L}\p{N}:]):[a-z][a-z\d_+-]{1,30}:(?![\p{L}\p{N}:])/gu;

/** A star with the same space on both sides, between operands: "5*3", "2 * x". Emphasis and lists have it on one side. */
const PRODUCT = /(?<=[\d)]|(?<![\p{L}\d])\p{L})( ?)\*\1(?=[\d(]|\p{L}(?![\p{L}\d]))/gu;

function withoutMarkdown(text: string): string {
  const unlinked = text
    // Signs that mean nothing: `\\*` is a star, which nobody says.
    .replaceAll(/\\[*_~`]/g, '')
    .replaceAll(SHORTCODE, '')
    .replaceAll(/!\[([^\]]*)\]\([^)\s]*(?:\s[^)]*)?\)/g, '$1')
    .replaceAll(/\[([^\]]+)\]\([^)\s]*(?:\s[^)]*)?\)/g, '$1')
    .replaceAll(/<(https?:\/\/[^>\s]+|[^<>\s@]{1,64}@[^<>\s]{1,255})>/g, '$1')
    .replaceAll(/(?:https?:\/\/|www\.)[^\s<>"'）)\]\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]+/gi, spokenAddress);
  return (
    withoutTags(unlinked)
      .replaceAll(/`+([^`]*)`+/g, '$1')
      .replaceAll(/^[ \t]*(?:#{1,6}\s+|>\s?|[-*+•]\s+(?:\[ \]\s+)?|-{3,}\s*$|\*{3,}\s*$|_{3,}\s*$)/gm, '')
      // Sums, before their stars are read as emphasis.
      .replaceAll(/(?<![*\d])(\d+) ?\*\* ?(?=\d+(?![*\d]))/g, '$1^')
      .replaceAll(PRODUCT, '$1×$1')
      .replaceAll(/(\*{1,3}|~~|__)(?=\S)(.+?)(?<=\S)\1/gs, '$2')
      .replaceAll(/(?<![\p{L}\p{N}~=+])(~|==|\+\+)(?=\p{L})([^~=+\n]+?)(?<=\S)\1(?![\p{L}\p{N}~=+])/gu, '$2')
      .replaceAll(/(?<![\p{L}\p{N}])_(?=\S)([^_]+)(?<=\S)_(?![\p{L}\p{N}])/gu, '$1')
      .replaceAll(/\*{1,3}|~~/g, '')
      .replaceAll(/^\s*\|?[\s:|-]*-{3,}[\s:|-]*\|?\s*$/gm, '')
      .replaceAll(/\s*\|\s*/g, ', ')
      .replaceAll(/\\([\\`*_{}[\]()#+\-.!>])/g, '$1')
  );
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
