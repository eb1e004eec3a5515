import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { prepared } from './prepared.ts';

const organizationCalled = prepared<{ name: string }, { id: string }>((db, value) =>
  db.selectFrom('organizations').select('id').where('name', '=', value('name')).where('entitlements_json', '=', '[]'),
);

describeOnBothDatabases('a prepared query', (stores) => {
  it('finds each time what its values ask for, in the store that it is used with', async () => {
    const store = await stores.open();
    const add = async (id: string, name: string) =>
      store.db
        .insertInto('organizations')
        .values({ id, name, entitlements_json: '[]', created_at: '2026-01-01T00:00:00.000Z' })
        .execute();
    expect(await store.find(organizationCalled(store, { name: 'one' }))).toEqual([]);
    await add('1', 'one');
    await add('2', 'two');
    expect(await store.findOne(organizationCalled(store, { name: 'one' }))).toEqual({ id: '1' });
    expect(await store.findOne(organizationCalled(store, { name: 'two' }))).toEqual({ id: '2' });
    expect(await organizationCalled(store, { name: 'two' }).execute()).toEqual([{ id: '2' }]);

    const other = await stores.open();
    expect(await other.find(organizationCalled(other, { name: 'one' }))).toEqual([]);
  });
});
