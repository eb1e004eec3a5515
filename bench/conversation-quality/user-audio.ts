import { WINDOW_MS, type VadWindow } from '../../actors/vad/vad-window.ts';
import type { Random } from './random.ts';
import type { Act } from './script.ts';

/**
 * The audio of one act: the speech probability and level of each 32 ms window, as a VAD reports them, and the end of
 * each word. It follows the results of Silero v6 on real speech: it rises within one window and falls within two, dips
 * inside of words, and sometimes reacts to coughs and doors.
 */
export interface Audio {
  /** From the start of the act, ms. */
  readonly lengthMs: number;
  readonly windows: readonly AudioWindow[];
  readonly words: readonly { readonly text: string; readonly endMs: number }[];
  /** Silence in the middle of a sentence, ms from the start of the act. */
  readonly pauses: readonly { readonly startMs: number; readonly endMs: number }[];
}

export type AudioWindow = Pick<VadWindow, 'probability' | 'levelDb'>;

/** Levels of the user's voice and of the room, dBFS. */
const VOICE_DB = -26;
const ROOM_DB = -62;
const MS_PER_LETTER = 62;

export function roomWindow(random: Random): AudioWindow {
  return { probability: random.between(0, 0.06), levelDb: random.around(ROOM_DB, 3) };
}

export function audioOf(act: Act, random: Random): Audio {
  if (act.text !== '') return spoken(act, random);
  return act.kind === 'tic' ? cough(act, random) : noise(act, random);
}

function spoken(act: Act, random: Random): Audio {
  const windows: AudioWindow[] = [];
  const words: { text: string; endMs: number }[] = [];
  const pauses: { startMs: number; endMs: number }[] = [];
  // Far from the microphone, the probability is lower.
  const loss = Math.max(0, -act.levelDb - 6) * 0.012;
  const level = () => random.around(VOICE_DB + act.levelDb, 4);
  let rising = true;
  for (const token of act.text.split(' ')) {
    if (token === '|') {
      fall(windows, random, level);
      const startMs = windows.length * WINDOW_MS;
      push(windows, act.audioMs, () => roomWindow(random));
      pauses.push({ startMs, endMs: windows.length * WINDOW_MS });
      rising = true;
      continue;
    }
    const letters = token.replace(/[^a-z]/gi, '').length;
    const length = Math.min(600, Math.max(150, letters * MS_PER_LETTER * random.between(0.8, 1.25)));
    push(windows, length, () => {
      const certain = rising
        ? random.between(0.45, 0.85)
        : random.chance(0.08)
          ? random.between(0.3, 0.6)
          : random.between(0.78, 0.995);
      rising = false;
      return { probability: Math.max(0, certain - loss), levelDb: level() };
    });
    words.push({ text: token.toLowerCase(), endMs: windows.length * WINDOW_MS });
    if (random.chance(0.25))
      push(windows, random.between(20, 80), () => ({
        probability: random.between(0.25, 0.7) - loss,
        levelDb: level() - 15,
      }));
  }
  const lengthMs = windows.length * WINDOW_MS;
  fall(windows, random, level);
  return { lengthMs, windows, words, pauses };
}

/** After its end, a voice still counts as one for a window or two. */
function fall(windows: AudioWindow[], random: Random, level: () => number): void {
  windows.push(
    { probability: random.between(0.4, 0.75), levelDb: level() - 18 },
    { probability: random.between(0.1, 0.4), levelDb: level() - 28 },
  );
}

function cough(act: Act, random: Random): Audio {
  const windows: AudioWindow[] = [];
  const likeness = random.between(0.15, 0.9);
  while (windows.length * WINDOW_MS < act.audioMs) {
    push(windows, random.between(70, 220), () => ({
      probability: clamp(random.around(likeness, 0.25)),
      levelDb: random.around(VOICE_DB + act.levelDb + 4, 5),
    }));
    push(windows, random.between(30, 130), () => ({
      probability: random.between(0.02, 0.25),
      levelDb: random.around(ROOM_DB + 14, 5),
    }));
  }
  // Recognizers give a word for one of five of these sounds.
  const words = random.chance(0.2)
    ? [{ text: random.pick(['huh', 'the', 'uh', 'hm', 'oh', 'her', 'of', 'cough']), endMs: windows.length * WINDOW_MS }]
    : [];
  return { lengthMs: windows.length * WINDOW_MS, windows, words, pauses: [] };
}

function noise(act: Act, random: Random): Audio {
  const windows: AudioWindow[] = [];
  const isLong = act.audioMs > 1000;
  const singing = isLong ? 0.12 : 0.06;
  push(windows, act.audioMs, () => ({
    probability: random.chance(singing) ? random.between(0.5, 0.8) : random.between(0, isLong ? 0.45 : 0.35),
    levelDb: random.around(VOICE_DB + act.levelDb, 6),
  }));
  const words = random.chance(isLong ? 0.25 : 0.05)
    ? [{ text: random.pick(['the', 'a', 'oh', 'yeah', 'in']), endMs: windows.length * WINDOW_MS * 0.7 }]
    : [];
  return { lengthMs: windows.length * WINDOW_MS, windows, words, pauses: [] };
}

function push(windows: AudioWindow[], ms: number, make: () => AudioWindow): void {
  for (let count = Math.max(1, Math.round(ms / WINDOW_MS)); count > 0; count -= 1) windows.push(make());
}

function clamp(value: number): number {
  return Math.min(0.99, Math.max(0.01, value));
}
