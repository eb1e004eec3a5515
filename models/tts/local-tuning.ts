import type { VoiceTuning } from '../ports.ts';

/** The two options of local voices, within the widest range of the contract. */
export function paceAndLoudness(tuning: VoiceTuning): { speed: number; volume: number } {
  return { speed: within(tuning.speed), volume: within(tuning.volume) };
}

function within(value: number | undefined): number {
  return value === undefined || !Number.isFinite(value) ? 1 : Math.max(0.5, Math.min(2, value));
}
