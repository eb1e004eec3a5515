import { withPlainSigns } from './html-signs.ts';
import { htmlBlocks } from './read-html.ts';

/** Elements that shops, forms and editors write into values. Signs of other texts, such as `<your name>`, are none. */
const MARKUP =
  /<\/?(?:p|br|b|strong|i|em|u|sup|sub|ul|ol|li|div|span|a|h[1-6]|table|tr|td|th|tbody|img|font|blockquote|pre|code|hr)(?:\s[^<>]*)?\/?>/i;

/** A value of a table or of data, without the elements of HTML that it is written with. */
export function withoutMarkup(value: string): string {
  const plain = withPlainSigns(value);
  if (!MARKUP.test(plain)) return plain;
  const texts = [...htmlBlocks(plain)].map((block) =>
    block.kind === 'table' ? block.rows.map((row) => row.join(' | ')).join('\n') : block.text,
  );
  return texts.join('\n');
}
