import { expect, it } from 'vitest';
import { EngineRegistryInMemory } from './engine-registry-in-memory.ts';
import { LEASE_MS, RESERVATION_MS } from './lease.ts';

const ANYWHERE = { region: null, policy: 'preferred' } as const;

function opened() {
  const clock = { now: 0 };
  const registry = new EngineRegistryInMemory(() => clock.now);
  const report = (id: string, places: number, used = 0, draining = false) => ({
    id,
    region: 'eu',
    url: `http://${id}`,
    version: '1',
    places,
    used,
    draining,
  });
  return { clock, registry, report };
}

it('spreads sessions by the share of places that is taken, and gives no place twice', async () => {
  const { registry, report } = opened();
  await registry.renew(report('large', 4), null);
  await registry.renew(report('small', 2), null);
  const chosen = [];
  for (let n = 0; n < 7; n += 1) chosen.push(await registry.reserve(`r${n}`, ANYWHERE, []));
  const ids = chosen.map((one) => (typeof one === 'string' ? one : one.engineId));
  expect(ids.filter((id) => id === 'large')).toHaveLength(4);
  expect(ids.filter((id) => id === 'small')).toHaveLength(2);
  expect(ids.at(-1)).toBe('full');
  expect(await registry.count()).toEqual({ places: 6, free: 0 });
});

// Of 24 calls of a process that was killed on a full machine, 10 were lost: new calls took the places they waited for.
it('gives no place to a new session that one on its way needs', async () => {
  const { registry, report } = opened();
  await registry.renew(report('one', 4, 2), null);
  const arrived = ['a', 'b'].map((session) => registry.expect(session));
  expect(await registry.reserve('new', ANYWHERE, [])).toBe('full');
  arrived[0]!();
  expect(await registry.reserve('new', ANYWHERE, [])).toMatchObject({ engineId: 'one' });
});

it('says whether all places are taken or an engine has no time for one more', async () => {
  const { registry, report } = opened();
  await registry.renew(report('one', 2, 2), null);
  expect(await registry.reserve('new', ANYWHERE, [])).toBe('full');
  await registry.renew({ ...report('two', 1, 1), busy: true }, null);
  expect(await registry.reserve('new', ANYWHERE, [])).toBe('busy');
});

it('takes sessions of a process that died above its places, by a quarter of them', async () => {
  const { registry, report } = opened();
  await registry.renew(report('one', 8, 8), null);
  const chosen = [];
  for (let n = 0; n < 3; n += 1) chosen.push(await registry.reserveForMove(`m${n}`, []));
  expect(chosen.map((one) => typeof one === 'string')).toEqual([false, false, true]);
  expect(await registry.reserve('new', ANYWHERE, [])).toBe('full');
});

it('takes a reservation once, in time, and on the same life of the engine', async () => {
  const { clock, registry, report } = opened();
  const fence = (await registry.renew(report('one', 3), null))!;
  await registry.reserve('a', ANYWHERE, []);
  await registry.reserve('late', ANYWHERE, []);
  expect(await registry.claim('one', fence, 'a')).toBe(true);
  expect(await registry.claim('one', fence, 'a')).toBe(false);
  clock.now = RESERVATION_MS + 1;
  expect(await registry.claim('one', fence, 'late')).toBe(false);
  registry.ended('one');
  const again = (await registry.renew(report('one', 3), null))!;
  expect(Number(again)).toBeGreaterThan(Number(fence));
  await registry.reserve('b', ANYWHERE, []);
  expect(await registry.claim('one', fence, 'b')).toBe(false);
});

it('forgets an engine at once when its process ends, and after its lease when it is silent', async () => {
  const { clock, registry, report } = opened();
  const fence = (await registry.renew(report('one', 3), null))!;
  await registry.own('one', fence, ['session']);
  expect(await registry.ownerOf('session')).toEqual({ engineId: 'one', url: 'http://one' });
  clock.now = LEASE_MS + 1;
  expect(await registry.ownerOf('session')).toBeNull();
  expect(await registry.findLost('one', ['session'])).toEqual([]);
  expect(await registry.renew(report('one', 3), fence)).toBeNull();
  expect(await registry.reserve('a', ANYWHERE, [])).toBe('none');
  const again = (await registry.renew(report('one', 3), null))!;
  await registry.own('one', again, ['session']);
  expect(registry.ended('one')).toEqual(['session']);
  expect(await registry.engine('one')).toBeNull();
  expect(await registry.findLost('one', ['session', 'unknown'])).toEqual(['session']);
});

it('lets whoever asks for a session wait while it is on its way', async () => {
  const { registry, report } = opened();
  const fence = (await registry.renew(report('two', 3), null))!;
  const arrived = registry.expect('session');
  const asked = registry.ownerOf('session');
  await registry.own('two', fence, ['session']);
  arrived();
  expect(await asked).toEqual({ engineId: 'two', url: 'http://two' });
});
