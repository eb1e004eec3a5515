import { describe, expect, test } from 'vitest';
import { withoutEntities, withoutTags } from './html-markup.ts';

describe('tags', () => {
  test.each([
    ['in a word', '<b>bold</b>ly, H<sub>2</sub>O', 'boldly, H2O'],
    ['between words', 'one<br/>two<br>three', 'one two three'],
    ['with attributes', '<span class="a b" id=c>x</span>', 'x'],
    ['of SSML', '<speak>Wait<break time="1s"/>here</speak>', ' Wait here '],
    ['of other kinds', '<answer>Yes</answer>', ' Yes '],
    ['a power', 'x<sup>2</sup> and 5<sup>th</sup>', 'x^2 and 5th'],
  ])('%s', (_, text, expected) => {
    expect(withoutTags(text)).toBe(expected);
  });

  test.each(['If a<b then c>d.', 'x < 5 and y > 3', 'I <3 you', 'List<String> of names', 'Dear <your name>,', 'a<b'])(
    'none in "%s"',
    (text) => {
      expect(withoutTags(text)).toBe(text);
    },
  );

  test('a wall of half tags is read in linear time', () => {
    for (const part of ['<', '<b ', '<b a="', "<b a='", '<b a=', '</', '</b ', '<b a = ', '<sup>1'])
      withoutTags(part.repeat(20_000));
  });
});

describe('character references', () => {
  test.each([
    ['named', 'R&amp;D &lt;3&nbsp;you', 'R&D <3 you'],
    ['with an accent', 'caf&eacute; M&uuml;nchen &Eacute;tat', 'café München État'],
    ['numbered', 'it&#39;s &#x20AC;5', "it's €5"],
    ['once', '&amp;lt;', '&lt;'],
    ['unknown or none', 'AT&T; &foo; R & D &', 'AT&T; &foo; R & D &'],
    ['no text', 'a&#0;b&#xd800;c&#9999999;d', 'a b c d'],
  ])('%s', (_, text, expected) => {
    expect(withoutEntities(text)).toBe(expected);
  });
});
