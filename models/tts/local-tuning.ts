import type { VoiceTuning } from '../ports.ts';

/** The options of a voice that local voices use. */
export const LOCAL_TUNING = ['speed', 'volume'] as const satisfies readonly (keyof VoiceTuning)[];

/** Both of them, within the widest range of the contract. */
export function paceAndLoudness(tuning: VoiceTuning): { speed: number; volume: number } {
  return { speed: within(tuning.speed), volume: within(tuning.volume) };
}

function within(value: number | undefined): number {
  return value === undefined || !Number.isFinite(value) ? 1 : Math.max(0.5, Math.min(2, value));
}
