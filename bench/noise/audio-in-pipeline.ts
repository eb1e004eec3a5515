import { WINDOW_MS, type VadWindow } from '../../actors/vad/vad-window.ts';
import { Downsampler } from '../../engine/audio-in/decode/downsample.ts';
import { NoiseStage } from '../../engine/audio-in/enhance/noise-stage.ts';
import { audioLevelDb, toFloat, toPcm16 } from '../../engine/audio-in/vad/audio-level.ts';
import { LoudPart } from '../../engine/audio-in/vad/loud-part.ts';
import { VadLanes, runVad } from '../../engine/audio-in/vad/vad-batch.ts';
import type { NoiseFilters } from '../../models/noise/noise-provider.ts';
import type { VadModel } from '../../models/ports.ts';
import { tripled } from '../../models/testing/sounds.ts';
import { VAD_WINDOW_SAMPLES } from '../../models/vad/silero.ts';

/** A noise filter at a strength, or none. */
export interface Filtering {
  readonly name: string;
  readonly filters: NoiseFilters | null;
  readonly strength: number;
}

/** 32 ms of a sound as a session has it. */
export interface SoundWindow {
  readonly vad: VadWindow;
  readonly raw: Int16Array;
  readonly filtered: Int16Array;
}

const PIECE_MS = 20;

/**
 * What a session makes of a sound: filtered in packets of 20 ms, judged by the VAD on both lanes.
 * @param pcm 16 kHz. @returns its windows, and the CPU time of the filter, ms for a second of sound.
 */
export function sessionSound(
  vad: VadModel,
  pcm: Int16Array,
  { filters, strength }: Filtering,
): { windows: SoundWindow[]; filterMs: number } {
  const raw = toFloat(pcm);
  const before = process.threadCpuUsage();
  const filtered = filters === null || strength === 0 ? raw : filterAll(pcm, filters, strength);
  const { user, system } = process.threadCpuUsage(before);
  const [lanes, loudness] = [new VadLanes(), new LoudPart()];
  const windows: SoundWindow[] = [];
  for (let at = 0; at + VAD_WINDOW_SAMPLES <= Math.min(raw.length, filtered.length); at += VAD_WINDOW_SAMPLES) {
    const piece = raw.slice(at, at + VAD_WINDOW_SAMPLES);
    const after = filtered === raw ? null : filtered.slice(at, at + VAD_WINDOW_SAMPLES);
    const window = {
      levelDb: audioLevelDb(piece),
      loudMs: loudness.of(piece),
      endsAt: (windows.length + 1) * WINDOW_MS,
    };
    const [probability = 0] = runVad(vad, [
      { lanes, window: { ...window, raw: piece, filtered: after, follows: at === 0 ? 'pause' : 'previous' } },
    ]);
    windows.push({ vad: { ...window, probability }, raw: toPcm16(piece), filtered: toPcm16(after ?? piece) });
  }
  return { windows, filterMs: (user + system) / 1_000 / (pcm.length / 16_000) };
}

function filterAll(pcm: Int16Array, filters: NoiseFilters, strength: number): Float32Array {
  const stage = new NoiseStage(filters.createFilter());
  const isWide = stage.sampleRate === 48_000;
  const downsampler = new Downsampler();
  const sound = toFloat(isWide ? tripled(pcm) : pcm);
  const piece = (stage.sampleRate * PIECE_MS) / 1_000;
  const out: number[] = [];
  for (let at = 0; at < sound.length; at += piece) {
    const pieceOf = sound.slice(at, at + piece);
    const samples = stage.process(pieceOf, strength)?.samples ?? pieceOf;
    for (const sample of isWide ? downsampler.process(samples) : samples) out.push(sample);
  }
  stage.close();
  downsampler.close();
  return Float32Array.from(out);
}
