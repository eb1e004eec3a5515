import { ipaToArpabet } from './ipa-to-arpabet.ts';
import type { TimedUnit } from '../ports.ts';
import { WordTimeline } from './word-timeline.ts';

const WORD = 1;
const PHONEME = 7;

export interface EspeakEvent {
  readonly type: number;
  /** Of a word, counted in characters from 1. */
  readonly position: number;
  readonly audioMs: number;
  /** Of a phoneme: IPA as UTF-8, ended by a NUL where it is shorter than its 8 bytes. */
  readonly phoneme: Uint8Array;
}

interface Timings {
  readonly words: TimedUnit[];
  readonly phonemes: TimedUnit[];
}

/**
 * Turns the events of espeak-ng, which only say when something begins, into words and phonemes with an end. Each one is
 * passed on when the next one begins.
 */
export function espeakEvents(
  text: string,
  language: string,
): { read(events: readonly EspeakEvent[]): Timings; finish(durationMs: number): Timings } {
  const timeline = new WordTimeline(text, language);
  // espeak-ng counts characters, JavaScript counts UTF-16 units. An emoji is one character and two units.
  const units: number[] = [];
  let at = 0;
  for (const character of text) {
    units.push(at);
    at += character.length;
  }
  let open: { ipa: string; startMs: number } | null = null;

  function close(endMs: number): TimedUnit[] {
    if (!open || endMs <= open.startMs) return [];
    const { ipa, startMs } = open;
    open = null;
    if (ipa !== '') timeline.reach(endMs);
    const parts = ipa === '' ? ['pau'] : ipaToArpabet(ipa);
    const length = (endMs - startMs) / parts.length;
    return parts.map((part, index) => ({
      text: part,
      startMs: startMs + index * length,
      endMs: startMs + (index + 1) * length,
    }));
  }

  return {
    read(events) {
      const words: TimedUnit[] = [];
      const phonemes: TimedUnit[] = [];
      for (const event of events) {
        if (event.type === WORD && event.position > 0) {
          phonemes.push(...close(event.audioMs));
          words.push(...timeline.mark(units[event.position - 1] ?? text.length, event.audioMs));
        }
        if (event.type !== PHONEME) continue;
        const ipa = ipaText(event.phoneme);
        // A length mark or a language switch inside a sound does not end it.
        if (ipa !== '' && ipaToArpabet(ipa).length === 0) continue;
        phonemes.push(...close(event.audioMs));
        open = { ipa, startMs: event.audioMs };
      }
      return { words, phonemes };
    },
    finish(durationMs) {
      const phonemes = close(durationMs);
      return { words: timeline.finish(durationMs), phonemes };
    },
  };
}

function ipaText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder()
    .decode(end < 0 ? bytes : bytes.subarray(0, end))
    .replaceAll('\uFFFD', '')
    .trim();
}
