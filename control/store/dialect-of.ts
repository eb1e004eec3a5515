import { type Kysely, PostgresAdapter } from 'kysely';

/** Which of the two databases a Kysely instance uses: a few statements differ. */
export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
