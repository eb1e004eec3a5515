import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { sharedClock } from './shared-clock.ts';

describeOnBothDatabases('the clock that processes share', (stores) => {
  it('is in milliseconds since the epoch, and goes on', async () => {
    const now = sharedClock(await stores.open());
    const first = await now();
    // The database of the test is on this machine.
    expect(Math.abs(first - Date.now())).toBeLessThan(600_000);
    await expect.poll(now).toBeGreaterThan(first);
  });
});
