import { describe, expect, it } from 'vitest';
import { isArpabet } from './arpabet.ts';
import { ipaToArpabet } from './ipa-to-arpabet.ts';

/** Every sound that espeak-ng 1.51 reported for a sentence in each of 58 languages. */
const REPORTED = (
  'ð ə k w ɪ b ɹ aʊ n f ɑː s dʒ ʌ m p oʊ v ɚ l eɪ z i d ɡ ʃ iː ɛ ɔɪ ʒ θ ŋ ɜː ɾ əl ʔ n̩ t æ uː ʊ ɔː aɪ ʊɹ ɪɹ ɛɹ tʃ h j x uɪ r u əʊ ɐ ' +
  'ɔ ɛɪ ħ a q t̪ e dz tʃʰ kʰ o ɫ ɟ y ɨ ja ɑ β ɒ ər dʑ tɕ aː r̝̊ c ɲ eː oː ʋ ʔʌ ʁ ʔœ ε œ ɣ œy ø øː ɵ æi yø ɔ̃ ɑ̃ œ̃ ɛ̃ a- ɔø yː ç ɜ ' +
  'pf ts ɛː χ bʰ cʰ ʈ ʈʰ ɳ ɖ ɡʰ oʊː eɪː ʎ o̞ ä e̞ ɯᵝ ɯ t- ie uo l̩ dʲ ai ʂ ɕ nʲ ʉː ʑ ɐ̃ʊ̃ tsʲ zʲ ɭ sʲ tʲ tʃʲ oɪ ʉ sx ẽ ɪu ɬ i. s.'
).split(' ');

describe('phonetic letters as mouth movements', () => {
  it.each(REPORTED)('knows %s', (ipa) => {
    const phonemes = ipaToArpabet(ipa);
    expect(phonemes.length).toBeGreaterThan(0);
    expect(phonemes.every(isArpabet)).toBe(true);
    // The weak vowel stands in for what is not in the table: only the weak vowel itself may become it.
    if (!ipa.includes('ə')) expect(phonemes).not.toContain('ax');
  });

  it('keeps diphthongs and affricates whole', () => {
    expect(ipaToArpabet('aʊ')).toEqual(['aw']);
    expect(ipaToArpabet('tʃʰ')).toEqual(['ch']);
    expect(ipaToArpabet('ʊɹ')).toEqual(['uh', 'r']);
  });

  it('rounds the lips for rounded front vowels', () => {
    expect(ipaToArpabet('yː')).toEqual(['uw']);
    expect(ipaToArpabet('øː')).toEqual(['uh']);
  });

  it('hears nothing in marks and language switches', () => {
    for (const mark of ['ː', 'ʲ', '(en)', '(cmn)', '-', '']) expect(ipaToArpabet(mark)).toEqual([]);
  });
});
