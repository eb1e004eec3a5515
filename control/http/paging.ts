import { type Selectable, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import type { Database } from '../store/tables.ts';

/** One page of a list: which rows to read and what to report about it. */
export interface Page {
  readonly page: number;
  readonly perPage: number;
}

/** Query fields of paged lists. Numbers arrive as text. */
export function pageQuery(perPageByDefault = 10) {
  return {
    page: wholeNumber(1, 1_000_000).default(1).describe('Page number, from 1.'),
    perPage: wholeNumber(1, 100).default(perPageByDefault).describe('Rows per page.'),
  };
}

export const searchQuery = z
  .string()
  .max(200)
  .refine((text) => !text.includes('\0'), 'must not contain U+0000')
  .optional();

/** A number as text. The API document describes the number. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max, pattern: undefined });
}

export const flagQuery = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1');

export const pageMeta = z
  .object({
    total: z.number().int(),
    lastPage: z.number().int(),
    currentPage: z.number().int(),
    perPage: z.number().int(),
    prev: z.number().int().nullable(),
    next: z.number().int().nullable(),
  })
  .meta({ id: 'PageMeta' });

export function metaOf({ page, perPage }: Page, total: number): z.infer<typeof pageMeta> {
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  return {
    total,
    lastPage,
    currentPage: page,
    perPage,
    prev: page > 1 ? Math.min(page - 1, lastPage) : null,
    next: page < lastPage ? page + 1 : null,
  };
}

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), meta: pageMeta });
}

type WithTimes = 'users' | 'mcp_servers' | 'webhooks' | 'sessions' | 'tools' | 'avatar_videos' | 'meeting_invites';

/** One page of the rows that a query selects, newest first. @param query from one table, with its conditions. */
export async function readPage<Table extends WithTimes>(
  query: SelectQueryBuilder<Database, Table, object>,
  page: Page,
): Promise<{ rows: Selectable<Database[Table]>[]; meta: z.infer<typeof pageMeta> }> {
  // All of these tables have the two columns, but the types do not see that of a table that is a parameter.
  const rows = query as unknown as SelectQueryBuilder<Database, 'tools', object>;
  const [{ total }, found] = await Promise.all([
    rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    rows
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(page.perPage)
      .offset((page.page - 1) * page.perPage)
      .execute(),
  ]);
  return { rows: found as unknown as Selectable<Database[Table]>[], meta: metaOf(page, Number(total)) };
}

/**
 * A list of an organization's rows, followed by built-in ones, which are few and in memory.
 * @param own counts and reads the organization's rows.
 */
export async function pageWithStock<T>(
  page: Page,
  own: { count: number; read(offset: number, limit: number): Promise<T[]> },
  stock: readonly T[],
): Promise<{ data: T[]; total: number }> {
  const offset = (page.page - 1) * page.perPage;
  const data = offset < own.count ? await own.read(offset, page.perPage) : [];
  const fromStock = Math.max(0, offset - own.count);
  return {
    data: [...data, ...stock.slice(fromStock, fromStock + page.perPage - data.length)],
    total: own.count + stock.length,
  };
}

/** A condition: the column contains the text, ignoring case; `%` and `_` are ordinary characters. */
export function contains(column: string, text: string) {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
}
