import type { Compilable } from 'kysely';
import { isoTime } from '../../actors/kernel/iso-time.ts';
import type { Store } from './open.ts';
import type { Database } from './tables.ts';

/** Tables of rows whose fields are checked against each other. Every change moves `updated_at` on. */
type Checked = 'personas' | 'tools' | 'llms';

export interface RowChange<Row> {
  readonly after: Row;
  /** What changes together with the row. @defaultValue nothing */
  readonly also?: readonly Compilable[];
}

/**
 * Reads a row, makes a changed one of it, and writes what differs, unless the row has changed meanwhile: then all of it
 * is done again with the new row. So no change gets lost, and fields that were checked together are stored together.
 * @param read throws when there is no such row. @param change gets the row and the time of the change; it may be called
 * again. @returns the row as stored. @throws what `read` and `change` throw.
 */
export async function changeRow<Table extends Checked>(
  { store, now }: { readonly store: Store; readonly now: () => number },
  table: Table,
  read: () => Promise<Database[Table]>,
  change: (before: Database[Table], at: string) => Promise<RowChange<Database[Table]>>,
): Promise<Database[Table]> {
  for (;;) {
    const before = await read();
    const { after, also = [] } = await change(before, timeOfChange(before.updated_at, now()));
    // Kysely cannot type a table that is one of several.
    const update = store.db
      .updateTable(table as 'tools')
      .set(differences<object>(before, after))
      .where('id', '=', before.id);
    const unlessChanged =
      before.updated_at === null
        ? update.where('updated_at', 'is', null)
        : update.where('updated_at', '=', before.updated_at);
    if (await store.atomicallyIfFound(unlessChanged, also)) return after;
  }
}

/** Later than the change before, even within one millisecond or on a machine whose clock is late. */
function timeOfChange(before: string | null, now: number): string {
  return isoTime(before === null ? now : Math.max(now, Date.parse(before) + 1));
}

/** Only these columns are written: the others may be changed by statements that do not move `updated_at`. */
function differences<Row extends object>(before: Row, after: Row): Partial<Row> {
  return Object.fromEntries(
    Object.entries(after).filter(([column, value]) => value !== before[column as keyof Row]),
  ) as Partial<Row>;
}
