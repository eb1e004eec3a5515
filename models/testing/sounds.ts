import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Sounds for tests and benches: speech of Debian's flite, and noises that repeat exactly. 16-bit mono. */

/**
 * @param voice one of flite's: slt, rms, awb, kal. @returns the sentence, 16 kHz, with about 0.2 s of silence around
 * it.
 */
export function spoken(text: string, voice = 'slt'): Int16Array {
  const folder = mkdtempSync(join(tmpdir(), 'parley-speech-'));
  try {
    const file = join(folder, 'speech.wav');
    execFileSync('flite', ['-voice', voice, '-t', text, '-o', file]);
    return wavSamples(readFileSync(file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns the samples of a 16-bit mono file. */
export function wavSamples(file: Buffer): Int16Array {
  const data = file.indexOf('data', 12, 'latin1');
  return Int16Array.from({ length: Math.floor((file.length - data - 8) / 2) }, (_, i) =>
    file.readInt16LE(data + 8 + 2 * i),
  );
}

/** @param amplitude of the loudest sample, 0…1. */
export function whiteNoise(samples: number, amplitude: number, seed = 1): Int16Array {
  const random = randomNumbers(seed);
  return Int16Array.from({ length: samples }, () => Math.round((2 * random() - 1) * amplitude * 32_767));
}

/** Noise with equal power in each octave, like wind and traffic far away. */
export function pinkNoise(samples: number, amplitude: number, seed = 1): Int16Array {
  const random = randomNumbers(seed);
  const rows = new Float64Array(12);
  return Int16Array.from({ length: samples }, (_, i) => {
    // Voss: row k is drawn anew at every 2^k-th sample.
    rows.forEach((_, row) => {
      if (i % (1 << row) === 0) rows[row] = 2 * random() - 1;
    });
    return Math.round((rows.reduce((a, b) => a + b, 0) / rows.length) * amplitude * 32_767);
  });
}

export function silence(samples: number): Int16Array {
  return new Int16Array(samples);
}

export function concat(...pieces: Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** 16 kHz → 48 kHz, straight lines between the samples: good enough for speech in tests. */
export function tripled(pcm: Int16Array): Int16Array {
  const out = new Int16Array(pcm.length * 3);
  for (let i = 0; i < pcm.length; i++) {
    const from = pcm[i] as number;
    const step = ((pcm[i + 1] ?? from) - from) / 3;
    for (let k = 0; k < 3; k++) out[3 * i + k] = Math.round(from + k * step);
  }
  return out;
}

/** Words that differ (inserted, left out or other ones), as a share of those expected. */
export function wordErrorRate(expected: string, heard: string): number {
  return differingWords(expected, heard) / wordsOf(expected).length;
}

/** @returns how many words must be inserted, left out or replaced to get from one text to the other. */
export function differingWords(expected: string, heard: string): number {
  const [a, b] = [wordsOf(expected), wordsOf(heard)];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  a.forEach((word, i) => {
    const next = [i + 1];
    b.forEach((other, j) =>
      next.push(
        Math.min((row[j] as number) + (word === other ? 0 : 1), (row[j + 1] as number) + 1, (next[j] as number) + 1),
      ),
    );
    row = next;
  });
  return row[b.length] as number;
}

/** @returns the words of an English text as they are compared: in lower case, without marks. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll(/\bmr\b\.?/g, 'mister')
    .replaceAll(/[^a-z' ]/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
}

/** Uniform in 0…1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
