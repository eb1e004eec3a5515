import { describe, expect, it } from 'vitest';
import { linkStateOf, requireUsable } from './link-state.ts';

const NOW = '2026-11-23T10:00:00.000Z';
const link = (changes: Partial<Parameters<typeof linkStateOf>[0] & object> = {}) => ({
  enabled: 1,
  expires_at: '2026-11-23T10:00:00.001Z',
  usage_limit: 2,
  usage_count: 1,
  ...changes,
});

describe('a share link', () => {
  it.each([
    ['usable', link()],
    ['usable', link({ expires_at: null, usage_limit: null, usage_count: 1_000 })],
    ['withdrawn', undefined],
    ['withdrawn', link({ enabled: 0, usage_count: 2 })],
    ['expired', link({ expires_at: NOW, usage_count: 2 })],
    ['used up', link({ usage_count: 2 })],
    ['used up', link({ usage_count: 3 })],
  ] as const)('is %s', (state, row) => {
    expect(linkStateOf(row, NOW)).toBe(state);
  });

  it.each([
    ['withdrawn', 404],
    ['expired', 410],
    ['used up', 429],
  ] as const)('that is %s is refused', (state, status) => {
    expect(() => requireUsable(state)).toThrow(expect.objectContaining({ status }));
  });
});
