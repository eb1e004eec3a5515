import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** The headings of a PDF's pages, by the list of its chapters that viewers show beside it. */

type Outline = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>;

/** A chapter, and the headings that it stands below. */
interface Chapter {
  readonly page: number;
  readonly path: readonly string[];
}

/** Longer lists, and deeper ones, are no chapters. */
const MAX_CHAPTERS = 2000;
const MAX_DEPTH = 6;

/** @returns the heading of a page, from 1 on; '' where there is none. */
export async function pageHeadings(pdf: PDFDocumentProxy): Promise<(page: number) => string> {
  const chapters = await chaptersOf(pdf).catch(() => []);
  return (page) => {
    const own = chapters.filter((chapter) => chapter.page === page);
    const before = chapters.findLast((chapter) => chapter.page < page);
    const paths = own.length > 0 ? own.map(({ path }) => path) : before === undefined ? [] : [before.path];
    return commonOf(paths).join(' › ');
  };
}

async function chaptersOf(pdf: PDFDocumentProxy): Promise<Chapter[]> {
  const chapters: Chapter[] = [];
  const waiting = (await pdf.getOutline())?.map((item) => ({ item, above: [] as readonly string[] })) ?? [];
  for (let next = waiting.shift(); next !== undefined && chapters.length < MAX_CHAPTERS; next = waiting.shift()) {
    const { item, above } = next;
    const path = [...above, item.title.trim()].filter(Boolean);
    const page = await pageOf(pdf, item);
    if (page !== null) chapters.push({ page, path });
    if (path.length < MAX_DEPTH)
      waiting.unshift(...(item.items as Outline).map((below) => ({ item: below, above: path })));
  }
  return chapters;
}

async function pageOf(pdf: PDFDocumentProxy, { dest }: Outline[number]): Promise<number | null> {
  const place = typeof dest === 'string' ? await pdf.getDestination(dest) : dest;
  const page: unknown = place?.[0];
  if (typeof page === 'number') return page + 1;
  return page === null || typeof page !== 'object' ? null : (await pdf.getPageIndex(page as never)) + 1;
}

/** What all chapters that begin on a page stand below. */
function commonOf(paths: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = paths;
  const length = first.findIndex((title, at) => others.some((path) => path[at] !== title));
  return length === -1 ? first : first.slice(0, length);
}
