/** One breath takes 4.8 s (12.5 a minute), the calm rate of a seated adult; breathing in is quicker than out. */
export const BREATH_MS = 4800;
const INHALE_SHARE = 0.4;

/** @param phaseMs ms since the start of a breath. @returns 0 (out) … 1 (in), smooth over the whole cycle. */
export function breathAt(phaseMs: number): number {
  const phase = (((phaseMs % BREATH_MS) + BREATH_MS) % BREATH_MS) / BREATH_MS;
  const angle =
    phase < INHALE_SHARE
      ? (phase / INHALE_SHARE) * Math.PI
      : Math.PI + ((phase - INHALE_SHARE) / (1 - INHALE_SHARE)) * Math.PI;
  return (1 - Math.cos(angle)) / 2;
}
