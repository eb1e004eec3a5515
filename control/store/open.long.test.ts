import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { isMissingReference, isUniqueViolation, type Store } from './open.ts';

const at = '2026-01-01T00:00:00.000Z';

function organization(id: string) {
  return { id, name: 'Team', entitlements_json: '[]', created_at: at };
}

async function names(store: Store): Promise<string[]> {
  const rows = await store.db.selectFrom('organizations').select('name').orderBy('name').execute();
  return rows.map((row) => row.name);
}

describeOnBothDatabases('store', (stores) => {
  it('keeps what was written, and opening it again changes nothing', async () => {
    const store = await stores.open();
    await store.db.insertInto('organizations').values(organization('one')).execute();
    expect(await names(store)).toEqual(['Team']);
    await store.ping();
  });

  it('does all statements of an atomic write or none', async () => {
    const store = await stores.open();
    const insert = (id: string) => store.db.insertInto('organizations').values(organization(id));
    await expect(store.atomically([insert('a'), insert('b'), insert('a')])).rejects.toSatisfy(isUniqueViolation);
    expect(await names(store)).toEqual([]);
    await store.atomically([insert('a'), insert('b')]);
    expect(await names(store)).toHaveLength(2);
  });

  it('lets a failing write take no other down that was written at the same time', async () => {
    const store = await stores.open();
    const ids = ['x', 'y', 'x', 'z'];
    const outcomes = await Promise.allSettled(
      ids.map((id) => store.db.insertInto('organizations').values(organization(id)).execute()),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect(await names(store)).toHaveLength(3);
  });

  it('undoes a transaction of several steps that fails, and keeps others out of it meanwhile', async () => {
    const store = await stores.open();
    const failing = store.db.transaction().execute(async (transaction) => {
      await transaction.insertInto('organizations').values(organization('inside')).execute();
      expect(
        await transaction.selectFrom('organizations').select('id').where('id', '=', 'inside').execute(),
      ).toHaveLength(1);
      throw new Error('changed my mind');
    });
    const beside = store.db.insertInto('organizations').values(organization('beside')).execute();
    await expect(failing).rejects.toThrow('changed my mind');
    await beside;
    expect(await store.db.selectFrom('organizations').select('id').execute()).toEqual([{ id: 'beside' }]);
  });

  it('tells a missing reference from a taken name', async () => {
    const store = await stores.open();
    const orphan = {
      id: randomUUID(),
      organization_id: 'nobody',
      name: 'g',
      description: null,
      created_at: at,
      updated_at: null,
    };
    await expect(store.db.insertInto('knowledge_groups').values(orphan).execute()).rejects.toSatisfy(
      isMissingReference,
    );
  });

  it('finds letters with accents whatever their case', async () => {
    const store = await stores.open();
    await store.db
      .insertInto('organizations')
      .values({ ...organization('e'), name: 'ÉCOLE Été' })
      .execute();
    const found = await store.db
      .selectFrom('organizations')
      .select('id')
      .where((eb) => eb(eb.fn('lower', ['name']), 'like', '%école%'))
      .execute();
    expect(found).toHaveLength(1);
  });

  it('serves many writers at once', async () => {
    const store = await stores.open();
    await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        store.db
          .insertInto('organizations')
          .values(organization(`o${i}`))
          .execute(),
      ),
    );
    const { count } = await store.db
      .selectFrom('organizations')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(count).toBe(500);
  });
});
