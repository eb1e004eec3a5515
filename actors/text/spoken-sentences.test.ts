import { expect, it } from 'vitest';
import { ReplyText } from './reply-text.ts';
import { normalizeText } from '../../models/tts/text-normalization/normalize-text.ts';
import {
  espeakNg,
  flite,
  SENTENCES,
  type SpokenSentence,
  wrongOf,
} from '../../models/tts/text-normalization/testing/heard.ts';

/** What the voice gets of an LLM's sentence. */
function given({ written, language }: SpokenSentence): string {
  const reply = new ReplyText({ language });
  const text = [...reply.push(written), ...reply.end()]
    .map((output) => (output.kind === 'segment' ? output.lead + output.text : ''))
    .join('');
  return normalizeText(text, language).text;
}

// 58 and 31 of them were said wrong: units and currencies were left as letters, of "415.555.2671" and "May 3-5" a part
// was changed, a strong word in German or French was taken for a stage direction.
it('espeak-ng, and neural voices with its front end, say each sentence so that a listener understands it', () => {
  expect(wrongOf(espeakNg, SENTENCES, given)).toEqual([]);
});

it('flite says each English sentence so that a listener understands it', () => {
  const english = SENTENCES.filter(({ language }) => language === 'en');
  expect(wrongOf(flite, english, given)).toEqual([]);
});
