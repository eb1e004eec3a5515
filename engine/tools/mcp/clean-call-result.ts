import { wordsOf, withoutFiles } from '../read-text.ts';
import { isRecord } from '../../../actors/tools/schema/check.ts';

/**
 * What a tool answered, as text and structure: all that a conversation can use. Images and sound are left out. Where
 * the result is not as the specification wants it, what can be read of it is kept: the tool has run.
 */
export function cleanCallResult(result: unknown): Record<string, unknown> {
  if (!isRecord(result)) return withTexts([textOf(result)]);
  const { content, isError, structuredContent, toolResult, _meta, ...more } = result;
  // Home-made servers answer `{"output": …}`, or have a result within the result.
  const other = content === undefined && Object.keys(more).length > 0 ? more : undefined;
  if (isRecord(other?.['result']) && 'content' in other['result']) return cleanCallResult(other['result']);
  const structure = structuredContent ?? toolResult ?? other;
  const parts = Array.isArray(content) ? content : [content ?? ''];
  const texts = parts.map(textOf).filter((text) => text !== '');
  if (structure !== undefined && !saysAll(texts.join('\n'), structure)) texts.push(textOf(structure));
  return {
    ...withTexts(texts),
    ...(isRecord(structure) && { structuredContent: structure }),
    isError: isError === true || isError === 'true',
  };
}

function withTexts(texts: readonly string[]): Record<string, unknown> {
  return { content: texts.map((text) => ({ type: 'text', text })) };
}

/** @param part one of a result, or what stands in its place. */
function textOf(part: unknown): string {
  if (typeof part === 'string') return plain(part);
  if (part === null || part === undefined) return '';
  if (!isRecord(part)) return JSON.stringify(part);
  const { type, text, resource, uri, title, name, json } = part;
  if (type === 'resource' && isRecord(resource)) {
    const said = typeof resource['text'] === 'string' ? plain(resource['text']) : '';
    return said === '' ? `[${String(resource['mimeType'] ?? 'file')} left out]` : said;
  }
  if (type === 'resource_link') return `${String(title ?? name ?? 'Link')}: ${String(uri)}`;
  if (text !== undefined && !/^(?:image|audio|video)/.test(String(type))) return textOf(text);
  if (json !== undefined) return textOf(json);
  return typeof type === 'string' ? (type === 'text' ? '' : `[${type} left out]`) : JSON.stringify(part);
}

/** What can be read of a text: of a page its words, as widgets of chats are pages, and no pictures. */
const plain = (text: string): string =>
  /^\s*<(?:!doctype html|html)\b/i.test(text) ? wordsOf(text) : withoutFiles(text);

/**
 * Whether a text has every value of a structure. Some servers say "2 rooms found." and name the rooms only in the
 * structure; others repeat it as JSON, as the specification recommends.
 */
function saysAll(text: string, structure: unknown): boolean {
  if (typeof structure === 'object' && structure !== null)
    return Object.values(structure).every((inner) => saysAll(text, inner));
  if (structure === null || structure === '' || typeof structure === 'boolean') return true;
  const said = String(structure);
  return text.includes(said) || text.includes(JSON.stringify(said).slice(1, -1));
}
