import { Parser } from 'htmlparser2';
import { limitedBody } from '../../models/http/limited-body.ts';

/** Answers that are no text for an LLM. */
const NO_TEXT = /^(image|audio|video|font)\/|^application\/(pdf|zip|gzip|vnd\.|x-tar)/i;
/** Of those, what is text after all: `application/vnd.api+json`, `image/svg+xml`. */
const TEXT_AFTER_ALL = /[+/.](json|xml|yaml|csv|text)\b/i;
/** Servers call bytes so of which they know nothing: JSON without the end of a file's name, and pictures. */
const UNKNOWN = /^application\/(octet-stream|binary)|^binary\//i;
/** Signs that no text has. */
const NO_SIGNS = /(?![\t\n\r])\p{Cc}|\uFFFD/u;
/** A page has this many times as many bytes as words. */
const MARKUP = 8;

/**
 * Reads a response up to a limit in bytes and drops the rest without waiting for it: in its own charset, UTF-8 where it
 * names none; a page without its markup; what is no text as a note of it.
 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null) return '';
  const leftOut = `[${type.split(';')[0]!.trim()} left out]`;
  if (NO_TEXT.test(type) && !TEXT_AFTER_ALL.test(type)) {
    await response.body.cancel().catch(() => {});
    return leftOut;
  }
  const isPage = /^(text\/html|application\/xhtml)/i.test(type);
  const decoder = decoderFor(type);
  let text = '';
  const bodyBytes = isPage ? maxBytes * MARKUP : maxBytes;
  for await (const piece of limitedBody(response.body, { beyond: 'cut', bodyBytes }))
    text += decoder.decode(piece, { stream: true });
  // A character that the limit cut in two is left out.
  if (UNKNOWN.test(type) && NO_SIGNS.test(text)) return leftOut;
  return isPage ? wordsOf(text).slice(0, maxBytes) : text;
}

function decoderFor(type: string): TextDecoder {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

const UNSEEN = /^(script|style|noscript|template|svg)$/;
const BLOCK = /^(p|div|br|li|tr|h[1-6]|section|article|table|ul|ol|pre|title)$/;

/** What somebody reads on a page. */
function wordsOf(html: string): string {
  let text = '';
  let unseen = 0;
  const parser = new Parser({
    onopentag(name) {
      if (UNSEEN.test(name)) unseen += 1;
      else if (BLOCK.test(name)) text += '\n';
      else if (name === 'td' || name === 'th') text += ' ';
    },
    ontext(piece) {
      if (unseen === 0) text += piece.replaceAll(/\s+/g, ' ');
    },
    onclosetag(name) {
      if (UNSEEN.test(name)) unseen -= 1;
    },
  });
  parser.end(html);
  return text.replaceAll(/[ \t]*\n\s*/g, '\n').trim();
}
