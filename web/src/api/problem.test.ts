import { expect, it } from 'vitest';
import { InputError, isAt, refusalText, sentenceAbout } from './problem.ts';

it('counts what stands beside fields, and says the rest', () => {
  const url = { path: 'config.url', message: 'must be public' };
  const headers = { path: 'config.headers.Via', message: 'is too long' };
  const other = { path: 'queryParameters', message: 'Required' };
  expect(refusalText(new InputError(url), ['config.url'])).toBe('One field needs a change.');
  expect(refusalText(new InputError(url, headers), ['config.url', 'config.headers'])).toBe('2 fields need a change.');
  expect(refusalText(new InputError(url, other), ['config.url'])).toBe('queryParameters: Required');
  expect(refusalText(new Error('It cannot be reached.'), ['config.url'])).toBe('It cannot be reached.');
});

it('knows what lies inside of a field', () => {
  expect(isAt({ path: 'config.url', message: '' }, 'config')).toBe(true);
  expect(isAt({ path: 'configuration', message: '' }, 'config')).toBe(false);
});

it('names the field as the page does', () => {
  expect(sentenceAbout('Lines', 'must not be empty')).toBe('“Lines” must not be empty.');
  expect(sentenceAbout('Name', 'Required')).toBe('Fill in “Name”.');
  expect(sentenceAbout('Name', 'Fill in “Name”.')).toBe('Fill in “Name”.');
});
