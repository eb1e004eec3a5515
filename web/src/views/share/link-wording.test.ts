import { describe, expect, it } from 'vitest';
import { expiryText, linesOf, linkAddress, linkState, usesText } from './link-wording.ts';

const NOW = Date.parse('2026-11-23T10:00:00.000Z');
const link = {
  id: '1',
  token: 'VBp0LX4NybQPxUWylqemKA',
  expiresAt: '2026-11-23T11:00:00.000Z',
  usageLimit: 2,
  usageCount: 1,
  allowedOrigins: [],
  allowAllOrigins: false,
  variableValues: {},
  versions: null,
  enabled: true,
};

describe('a share link in the console', () => {
  it('says whether it works', () => {
    expect(linkState(link, NOW).text).toBe('Works');
    expect(linkState({ ...link, enabled: false }, NOW).text).toBe('Withdrawn');
    expect(linkState(link, NOW + 3_600_000).text).toBe('Expired');
    expect(linkState({ ...link, usageCount: 2 }, NOW).text).toBe('Used up');
    expect(linkState({ ...link, usageLimit: null, expiresAt: null }, Infinity).text).toBe('Works');
  });

  it('says how often and how long', () => {
    expect(usesText(link)).toBe('1 of 2 conversations');
    expect(usesText({ usageLimit: null, usageCount: 1 })).toBe('1 conversation, no limit');
    expect(expiryText(null)).toBe('never expires');
    expect(linkAddress(link, 'https://talk.example.com')).toBe('https://talk.example.com/s/VBp0LX4NybQPxUWylqemKA');
  });

  it('reads web sites line by line', () => {
    expect(linesOf(' shop.example.com \n\nhttps://a.example\n')).toEqual(['shop.example.com', 'https://a.example']);
  });
});
