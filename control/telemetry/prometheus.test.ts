import { expect, it } from 'vitest';
import { startTestService } from '../testing/service.ts';
import { describeOnSqlite } from '../testing/stores.ts';

describeOnSqlite('/metrics', (stores) => {
  /**
   * Proxies keep it from the public by its path. The router also took other spellings of it, and so these were public
   * behind an Ingress that blocks exactly `/metrics`.
   */
  it('is there at exactly this path', async () => {
    const service = await startTestService(await stores.open());
    const status = async (url: string) => (await service.send('GET', url, undefined, null)).status;
    expect([await status('/metrics'), await status('/metrics?name[]=up')]).toEqual([200, 200]);
    for (const url of ['/metrics/', '/%6Detrics', '/metric%73', '/metrics/?a', '/metrics%2F', '/Metrics', '//metrics'])
      expect([url, await status(url)]).toEqual([url, 404]);
    await service.close();
  });

  it('describes each family', async () => {
    const service = await startTestService(await stores.open());
    const { text } = await service.send('GET', '/metrics', undefined, null);
    await service.close();
    const described = new Set([...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name));
    const families = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(families.filter((name) => !described.has(name))).toEqual([]);
    expect(described).toContain('parley_files_waiting');
  });
});
