import { describe, expect, test } from 'vitest';
import { asksToWait } from './asks-to-wait.ts';

describe('a request to wait', () => {
  test.each([
    'just a minute',
    'Hold on, one second, please.',
    'okay hang on a second',
    'one second honey',
    'I am on the phone right now',
    'im in a meeting',
    'give me a minute mom I will be right there',
    'un momento por favor',
    'Einen Moment, bitte!',
  ])('"%s"', (text) => {
    expect(asksToWait(text, null)).toBe(true);
  });

  test.each([
    '',
    'okay',
    'mom',
    'yes please',
    'just a minute of your time',
    'how many seconds are in a minute',
    'one minute',
    'I was in a meeting yesterday',
    "I'm on a call with my mom",
    'hold on to it',
    'not now',
  ])('is not "%s"', (text) => {
    expect(asksToWait(text, null)).toBe(false);
  });
});
