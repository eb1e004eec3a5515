import { z } from 'zod';
import { type Block, sectionsOf } from './blocks.ts';
import { decodeText } from './decode-text.ts';
import { htmlBlocks } from './read-html.ts';
import { markdownBlocks } from './read-markdown.ts';
import type { Section } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** Lines are one text, or a list of them. */
const lines = z.union([z.string(), z.array(z.string()).transform((all) => all.join(''))]);
const output = z.object({
  text: lines.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
});
const cell = z.object({
  cell_type: z.string(),
  source: lines.optional(),
  outputs: z.array(output).optional(),
});
const notebook = z.object({ cells: z.array(cell) });

/** A notebook of Jupyter: its text, its code, and what that printed. Pictures and errors are not read. */
export function* readNotebook(bytes: Buffer): Generator<Section> {
  let cells: z.infer<typeof cell>[];
  try {
    ({ cells } = notebook.parse(JSON.parse(decodeText(bytes).text)));
  } catch (error) {
    throw new UnreadableDocumentError('This is no notebook of Jupyter 4 or later.', { cause: error });
  }
  yield* sectionsOf(cells.values().flatMap(blocksOf));
}

function* blocksOf({ cell_type: type, source = '', outputs = [] }: z.infer<typeof cell>): Generator<Block> {
  if (type === 'markdown') yield* markdownBlocks(source);
  else yield { kind: 'paragraph', text: source };
  for (const { text, data = {} } of outputs) {
    const [page, plain] = ['text/html', 'text/plain'].map((name) => lines.safeParse(data[name]).data);
    // Of a picture, its size in words.
    const isPicture = Object.keys(data).some((name) => name.startsWith('image/'));
    if (page !== undefined) yield* htmlBlocks(page);
    else if (!isPicture) yield { kind: 'paragraph', text: text ?? plain ?? '' };
  }
}
