/** A word that is spoken as a tone. */
export interface SpokenWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** 24 kHz, with the pause after it. */
  readonly pcm: Int16Array;
}

const RATE = 24_000;
const LETTER_MS = 60;
const PAUSE_MS = 60;
const SENTENCE_PAUSE_MS = 300;

/** Words as tones of 60 ms a letter; a longer pause follows a sentence. */
export function spokenWords(text: string): SpokenWord[] {
  let at = 0;
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((word, index) => {
      const toneMs = word.length * LETTER_MS;
      const ms = toneMs + (/[.!?]$/.test(word) ? SENTENCE_PAUSE_MS : PAUSE_MS);
      const startMs = at;
      at += ms;
      const pcm = new Int16Array((ms * RATE) / 1000);
      const hz = 180 + (index % 5) * 40;
      for (let sample = 0; sample < (toneMs * RATE) / 1000; sample += 1)
        pcm[sample] = Math.round(9_000 * Math.sin((2 * Math.PI * hz * sample) / RATE));
      return { text: word, startMs, endMs: at, pcm };
    });
}
