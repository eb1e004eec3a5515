import { expect, it } from 'vitest';
import JSZip from 'jszip';
import { makeWheel } from './make-wheel.ts';

it('makes the same wheel each time, with what pip has to know and no folder of tests', async () => {
  const folder = new URL('../../clients/python', import.meta.url).pathname;
  const { file, content } = await makeWheel(folder);
  expect(file).toMatch(/^parley_client-[\d.]+-py3-none-any\.whl$/);
  expect((await makeWheel(folder)).content.equals(content)).toBe(true);
  const zip = await JSZip.loadAsync(content);
  const names = Object.keys(zip.files);
  expect(names).toContain('parley_client/py.typed');
  expect(names.filter((name) => /test|pycache/.test(name))).toEqual([]);
  const text = async (pattern: RegExp) => zip.files[names.find((name) => pattern.test(name))!]!.async('text');
  expect(await text(/METADATA$/)).toMatch(/^Requires-Python: >=3\.11$[^]*^Requires-Dist: aiortc>=1\.4\.0$/m);
  expect(await text(/entry_points/)).toContain('parley-client = parley_client.__main__:main');
  const record = await text(/RECORD$/);
  expect(record.trim().split('\n')).toHaveLength(names.length);
  expect(record).toMatch(/^parley_client\/client\.py,sha256=[\w-]{43},\d+$/m);
});
