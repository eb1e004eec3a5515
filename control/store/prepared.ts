import type { CompiledQuery, Kysely } from 'kysely';
import type { Findable, Store } from './open.ts';
import type { Database } from './tables.ts';

/** A placeholder in a query for a value that is known only when the query is used. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that is built and turned into SQL once for each store; after that only its values change. Building one anew
 * takes 6 to 20 µs, more than SQLite needs to answer it, so what almost every request asks is prepared.
 * @param build gets the database and a function that names a value of the query.
 */
export function prepared<Values extends Readonly<Record<string, string | number>>, Row>(
  build: (
    db: Kysely<Database>,
    value: <Name extends keyof Values & string>(name: Name) => Values[Name],
  ) => Findable<Row>,
): (store: Store, values: Values) => Findable<Row> {
  const compiled = new WeakMap<Store, CompiledQuery<Row>>();
  return (store, values) => {
    let query = compiled.get(store);
    if (query === undefined) {
      query = build(store.db, (name) => new Placeholder(name) as never).compile();
      compiled.set(store, query);
    }
    const { sql, query: node, queryId, parameters } = query;
    const filled = {
      sql,
      query: node,
      queryId,
      parameters: parameters.map((parameter) =>
        parameter instanceof Placeholder ? values[parameter.name] : parameter,
      ),
    } as CompiledQuery<Row>;
    return { compile: () => filled, execute: async () => (await store.db.executeQuery(filled)).rows };
  };
}
