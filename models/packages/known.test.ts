import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Of, sizeOf } from './installed.ts';
import { knownPackages } from './known.ts';
import { LANGUAGE_SETS, PUBLISHED_PACKAGES } from './published.ts';
import { voicePackage } from './testing/voice-package.ts';

describe('the packages that are known', () => {
  it('are each named once', () => {
    expect(new Set(PUBLISHED_PACKAGES.map(({ id }) => id)).size).toBe(PUBLISHED_PACKAGES.length);
  });

  it.each(PUBLISHED_PACKAGES)('$id is fetched over https', ({ url }) => {
    expect(new URL(url).protocol).toBe('https:');
  });

  it.each(Object.entries(LANGUAGE_SETS))('%s is made of packages that exist', (_, ids) => {
    expect(PUBLISHED_PACKAGES.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
  });

  it('keep every file that their loader needs', () => {
    for (const { archive, engine, id } of PUBLISHED_PACKAGES) {
      if (archive === null) continue;
      const { type: _, ...paths } = engine;
      for (const path of Object.values(paths)) if (typeof path === 'string') expect(archive.keep, id).toContain(path);
    }
  });

  const gtcrn = process.env['PARLEY_TEST_GTCRN_MODEL'];
  it.skipIf(gtcrn === undefined)('have the checksum and size of the noise model that the tests use', async () => {
    const entry = PUBLISHED_PACKAGES.find(({ kind }) => kind === 'noise');
    expect(entry?.sha256).toBe(await sha256Of(gtcrn as string));
    expect(entry?.bytes).toBe(await sizeOf(gtcrn as string));
  });

  describe('of an operator', () => {
    let dir: string;
    beforeAll(() => (dir = mkdtempSync(join(tmpdir(), 'parley-known-'))));
    afterAll(() => rmSync(dir, { recursive: true, force: true }));
    const list = (content: unknown): string => {
      const path = join(dir, 'models.json');
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    };
    const own = { ...voicePackage('https://mirror.example', Buffer.from('x')) };

    it('come beside the published ones, or in their place', () => {
      const known = knownPackages(list([own, { ...own, id: 'kitten-en' }]));
      expect(known).toHaveLength(PUBLISHED_PACKAGES.length + 1);
      expect(known.find(({ id }) => id === 'kitten-en')?.url).toBe(own.url);
    });

    it.each<[string, unknown, string]>([
      ['is no JSON', 'nothing', 'cannot be read'],
      ['has a wrong checksum', [{ ...own, sha256: 'short' }], 'sha256'],
      ['leads out of its folder', [{ ...own, engine: { ...own.engine, model: '../../etc/passwd' } }], 'relative path'],
      ['has one twice', [own, own], '"test-voice" twice'],
      ['has a voice without voices', [{ ...own, voices: [] }], 'has voices'],
    ])('are refused when the list %s', (_, content, message) => {
      expect(() => knownPackages(list(content))).toThrow(message);
    });

    it('are refused when the list is not there', () => {
      expect(() => knownPackages(join(dir, 'absent.json'))).toThrow('absent.json');
    });
  });
});

it('the example of the guide is a valid list', () => {
  const guide = readFileSync(new URL('../../docs/guides/local-models.md', import.meta.url), 'utf8');
  const example = /```json\n(.*?)```/s.exec(guide)?.[1];
  const dir = mkdtempSync(join(tmpdir(), 'parley-guide-'));
  const path = join(dir, 'models.json');
  writeFileSync(path, example ?? '');
  expect(knownPackages(path)[0]).toMatchObject({ id: 'piper-nl-pim', voices: [{ speaker: 0 }] });
  rmSync(dir, { recursive: true });
});

it('the guide names every package and its license', () => {
  const guide = readFileSync(new URL('../../docs/guides/local-models.md', import.meta.url), 'utf8');
  for (const { license } of PUBLISHED_PACKAGES) expect(guide).toContain(license.split(',')[0]);
  for (const ids of Object.values(LANGUAGE_SETS)) for (const id of ids) expect(guide).toContain(id);
});
