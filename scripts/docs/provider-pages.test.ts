import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { documentedProviders, PROVIDER_PAGES, providerPages } from './provider-pages.ts';

it('the tables of settings are what the code says (npm run docs)', () => {
  for (const [name, text] of Object.entries(providerPages()))
    expect(readFileSync(new URL(name, PROVIDER_PAGES), 'utf8'), name).toBe(text);
});

it('every provider has its place on one page', () => {
  const { onPages, known } = documentedProviders();
  expect(onPages.toSorted()).toEqual(known.toSorted());
});

it('the pages have the same form, and the index has them all', () => {
  const { 'README.md': index = '', ...pages } = providerPages();
  for (const [name, text] of Object.entries(pages)) {
    expect(index, name).toContain(`(${name})`);
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings.slice(-4), name).toEqual([
      'Good to know',
      'Cost and speed',
      'Tested',
      expect.stringMatching(/^Check (it|them)$/),
    ]);
  }
});
