import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../control/settings/settings.ts';

const ROOT = resolve(import.meta.dirname, '..');
const DOCUMENTS = globSync(['*.md', '{clients,docs,bench,sdk,deploy,web}/**/*.md'], {
  cwd: ROOT,
  exclude: (path) => path.includes('node_modules'),
}).toSorted();
/** Read by scripts and tests, not by the service. */
const NOT_SETTINGS = /^PARLEY_TEST_|^PARLEY_KEY$|^PARLEY_URL$|^PARLEY_IMPORT_KEY$/;
/** Top-level folders and files of which documents speak by their path. */
const NAMED_PATH = /`((?:actors|bench|clients|control|docs|e2e|engine|models|runtime|scripts|sdk|web)\/[\w./-]*)`/g;

/** Lines outside of fenced code: code may show links of other systems. */
function prose(text: string): string {
  return text.replaceAll(/^(```|~~~)[\s\S]*?^\1.*$/gm, '');
}

/** Anchors as they are made from headings: lower case, punctuation dropped, blanks to hyphens. */
function anchorsOf(text: string): Set<string> {
  const headings = prose(text).matchAll(/^#{1,6}\s+(.+)$/gm);
  return new Set(
    [...headings].map(([, title]) =>
      (title ?? '')
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  );
}

/** @returns every relative link of a document that leads nowhere. */
function brokenLinks(document: string, text = readFileSync(join(ROOT, document), 'utf8')): string[] {
  const links = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '');
  return links.filter((link) => {
    if (/^[a-z][a-z+.-]*:/i.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? document : normalize(join(dirname(document), decodeURIComponent(path)));
    if (target.startsWith('..') || !existsSync(join(ROOT, target))) return true;
    return (
      anchor !== undefined && target.endsWith('.md') && !anchorsOf(readFileSync(join(ROOT, target), 'utf8')).has(anchor)
    );
  });
}

describe('the documents', () => {
  it('are found', () => {
    expect(DOCUMENTS).toEqual(expect.arrayContaining(['README.md', 'docs/README.md', 'docs/reference/behavior.md']));
  });

  it.each(DOCUMENTS)('%s links only to what is there', (document) => {
    expect(brokenLinks(document)).toEqual([]);
  });

  it.each(DOCUMENTS)('%s names only files and folders that are there', (document) => {
    const text = prose(readFileSync(join(ROOT, document), 'utf8'));
    const missing = [...text.matchAll(NAMED_PATH)]
      .map(([, path]) => path ?? '')
      .filter((path) => !path.startsWith('web/dist') && !existsSync(join(ROOT, path)));
    expect(missing).toEqual([]);
  });

  it.each(DOCUMENTS)('%s names only settings that exist', (document) => {
    const known = new Set(Object.keys(settingsSchema.shape));
    const named = new Set(
      readFileSync(join(ROOT, document), 'utf8').match(/\bPARLEY_[A-Z0-9_]+[A-Z0-9]\b(?!_)/g) ?? [],
    );
    const families = [...known].map((name) => name.slice(0, name.lastIndexOf('_')));
    expect(
      [...named].filter((name) => !known.has(name) && !NOT_SETTINGS.test(name) && !families.includes(name)),
    ).toEqual([]);
  });

  it('name only scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = new Set(
      DOCUMENTS.flatMap((document) =>
        [...readFileSync(join(ROOT, document), 'utf8').matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name ?? ''),
      ),
    );
    expect([...named].filter((name) => !(name in scripts))).toEqual([]);
  });

  it('tell a broken link from a good one', () => {
    const text =
      '# A “title”\n[2](../README.md) [4](nowhere.md) [5](../../outside.md) [6](https://example.com)\n```\n[7](in-code.md)\n```\n';
    expect(brokenLinks('docs/README.md', text)).toEqual(['nowhere.md', '../../outside.md']);
    expect(brokenLinks('docs/README.md', '[1](../CHANGELOG.md#no-such-heading)')).toEqual([
      '../CHANGELOG.md#no-such-heading',
    ]);
    expect(anchorsOf('## Data channel: `speechText` and “more”\n')).toEqual(
      new Set(['data-channel-speechtext-and-more']),
    );
  });
});
