import { parseDocument } from 'htmlparser2';

/** `&amp;` and the like as the signs that they are, in a text that is no HTML otherwise. */
export function withPlainSigns(text: string): string {
  if (!/&#?\w{2,8};/.test(text)) return text;
  const [node] = parseDocument(text.replaceAll('<', '&lt;')).children;
  return node !== undefined && 'data' in node ? node.data : text;
}
