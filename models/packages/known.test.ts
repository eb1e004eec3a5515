import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Of, sizeOf } from './installed.ts';
import { knownPackages } from './known.ts';
import { LANGUAGE_SETS, STANDARD_SET } from './language-sets.ts';
import { PUBLISHED_PACKAGES } from './published.ts';
import { voicePackage } from './testing/voice-package.ts';

describe('the packages that are known', () => {
  it('are each named once', () => {
    expect(new Set(PUBLISHED_PACKAGES.map(({ id }) => id)).size).toBe(PUBLISHED_PACKAGES.length);
  });

  it.each(PUBLISHED_PACKAGES)('$id is fetched over https or from a registry', ({ sources }) => {
    for (const source of sources) if (source.type === 'publisher') expect(source.url).toMatch(/^https:/);
  });

  it('those that a start fetches by itself all lie in a registry', () => {
    for (const id of STANDARD_SET)
      expect(PUBLISHED_PACKAGES.find((each) => each.id === id)?.sources.map(({ type }) => type)).toContain('registry');
  });

  it.each(Object.entries(LANGUAGE_SETS))('%s is made of packages that exist', (_, ids) => {
    expect(PUBLISHED_PACKAGES.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
  });

  it('keep every file that their loader needs', () => {
    for (const { sources, engine, id } of PUBLISHED_PACKAGES)
      for (const source of sources) {
        if (source.type === 'registry' || source.archive === null) continue;
        const { type: _, ...paths } = engine;
        for (const path of Object.values(paths))
          if (typeof path === 'string') expect(source.archive.keep, id).toContain(path);
      }
  });

  const gtcrn = process.env['PARLEY_TEST_GTCRN_MODEL'];
  it.skipIf(gtcrn === undefined)('have the checksum and size of the noise model that the tests use', async () => {
    const entry = PUBLISHED_PACKAGES.find(({ kind }) => kind === 'noise');
    const path = gtcrn as string;
    expect(entry?.sources).toMatchObject([{ sha256: await sha256Of(path), bytes: await sizeOf(path) }]);
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
      expect(known.find(({ id }) => id === 'kitten-en')?.sources).toEqual(own.sources);
    });

    it.each<[string, unknown, string]>([
      ['is no JSON', 'nothing', 'cannot be read'],
      ['has a wrong checksum', [{ ...own, sources: [{ ...own.sources[0], sha256: 'short' }] }], 'sha256'],
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
  const guide = readFileSync(new URL('../../docs/guides/models.md', import.meta.url), 'utf8');
  const example = /```json\n(.*?)```/s.exec(guide)?.[1];
  const dir = mkdtempSync(join(tmpdir(), 'parley-guide-'));
  const path = join(dir, 'models.json');
  writeFileSync(path, example ?? '');
  expect(knownPackages(path)[0]).toMatchObject({ id: 'piper-nl-pim', voices: [{ speaker: 0 }] });
  rmSync(dir, { recursive: true });
});

it('the guide names every package and its license', () => {
  const guide = readFileSync(new URL('../../docs/guides/models.md', import.meta.url), 'utf8');
  for (const { license } of PUBLISHED_PACKAGES) expect(guide).toContain(license.split(',')[0]);
  for (const ids of Object.values(LANGUAGE_SETS)) for (const id of ids) expect(guide).toContain(id);
});
