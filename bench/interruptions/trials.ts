import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addNoise, voiceAt, voicedRms } from '../../models/testing/noises.ts';
import { concat, randomNumbers, silence, wavSamples } from '../../models/testing/sounds.ts';
import { recordings, type Recording } from '../../models/testing/speech/recordings.ts';

/** Who speaks, how much softer than the user usually does, and whether the persona is heard meanwhile. */
export interface Trial {
  readonly who: 'user or guest' | 'far voice' | 'television';
  readonly softerDb: number;
  readonly where: 'over the answer' | 'into the silence';
  readonly pcm: Int16Array;
}

export type Spoken = Pick<Recording, 'name' | 'pcm'>;

export const STORY =
  'There are seven things to say about this, and the first one is rather long indeed. The second one is short. The third one is about the weather in spring, which is mild here. The fourth one is about boats on a wide and quiet river. The fifth one is about the people who live beside it.';

/** @param folder of WAV files, 16 bits, mono, 16 kHz. @returns those, or without a folder the recordings of the tests. */
export function spokenBy(folder?: string): readonly Spoken[] {
  if (folder === undefined) return recordings();
  return readdirSync(folder)
    .filter((file) => file.endsWith('.wav'))
    .map((name) => ({ name, pcm: wavSamples(readFileSync(join(folder, name))) }));
}

export function kindOf({ who, softerDb, where }: Trial): string {
  return who === 'user or guest' ? `${who}, ${softerDb} dB softer` : `${who}, ${where}`;
}

const RATE = 16_000;
const NEAR_DB = [0, 6];
const FAR_DB = [12, 15, 18, 21];
const TELEVISION_DB = [12, 14];
/** Between two sentences of a television. */
const GAPS_MS = [500, 1_100];
/** Four interruptions by people, then a voice across the room, and again; the television comes at the end. */
const ORDER = 'nnfnnsnnfnnsnnTtt';

/**
 * @param all recordings, one of which is the user's. @returns what is heard after the user is known: 10 people who interrupt,
 * the user among them, 4 far voices, and 3 times a television.
 */
export function trialsOf(user: Spoken, all: readonly Spoken[]): Trial[] {
  const first = all.indexOf(user);
  const usualDb = levelOf(user.pcm);
  const counts = { n: 0, f: 0, t: 0 };
  const speaker = (step: number): Spoken => all[(first + step) % all.length]!;
  return [...ORDER].map((kind): Trial => {
    if (kind === 'n') {
      const at = counts.n++;
      const softerDb = NEAR_DB[(at + Math.floor(at / all.length)) % 2]!;
      return { ...OVER, who: 'user or guest', softerDb, pcm: voiceAt(speaker(at).pcm, usualDb - softerDb) };
    }
    if (kind === 'f' || kind === 's') {
      const at = counts.f++;
      const softerDb = FAR_DB[(first + at) % FAR_DB.length]!;
      const where = kind === 'f' ? 'over the answer' : 'into the silence';
      return { who: 'far voice', softerDb, where, pcm: voiceAt(inRoom(speaker(1 + at).pcm), usualDb - softerDb) };
    }
    const at = counts.t++;
    const softerDb = TELEVISION_DB[(first + at) % TELEVISION_DB.length]!;
    const lines = [0, 1, 2].map((line) => voiceAt(speaker(2 + 3 * at + line).pcm, usualDb - softerDb));
    const where = kind === 'T' ? 'over the answer' : 'into the silence';
    return { who: 'television', softerDb, where, pcm: withGaps(lines) };
  });
}

const OVER = { where: 'over the answer' } as const;

/** @returns the level of what is voiced, dBFS. */
export function levelOf(pcm: Int16Array): number {
  return 20 * Math.log10(voicedRms(pcm) / 32_768);
}

function withGaps([first = silence(0), ...lines]: readonly Int16Array[]): Int16Array {
  return concat(first, ...lines.flatMap((line, at) => [silence((GAPS_MS[at]! * RATE) / 1_000), line]));
}

/** Echoes of a room that has 0.4 s of reverberation, 3 dB below the voice itself. */
const [DECAY_S, ECHOES_DB] = [0.4, 3];

/** @returns a voice from the other end of a furnished room: its echoes are nearly as loud as itself. */
export function inRoom(pcm: Int16Array): Int16Array {
  const random = randomNumbers(7);
  const taps = Array.from({ length: 400 }, () => {
    const at = Math.round((0.004 + 0.25 * random()) * RATE);
    return { at, gain: (2 * random() - 1) * 10 ** ((-3 * at) / (DECAY_S * RATE)) };
  });
  const echoes = Float32Array.from(pcm, (_, i) =>
    taps.reduce((sum, { at, gain }) => sum + gain * (pcm[i - at] ?? 0), 0),
  );
  return addNoise(pcm, echoes, ECHOES_DB);
}
