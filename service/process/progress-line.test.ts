import { expect, it } from 'vitest';
import { progressText } from './progress-line.ts';

it('draws how far a download is', () => {
  expect(progressText('model', 200_000, 400_000)).toBe('model  [===============               ]   50 %  0.2 / 0.4 MB');
});
