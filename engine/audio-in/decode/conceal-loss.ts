/** Longest gap that is filled; a longer one is a pause or an outage, where the sound starts anew: 120 ms. */
export const MAX_CONCEALED_SAMPLES = 5_760;

/**
 * Sound for lost packets: the last frame once more, fading out, then silence. A single lost packet inside a word then
 * neither looks like the end of speech nor puts a click into recognition.
 * @param previous the last decoded packet; may be empty. @param count samples to fill, 48 kHz.
 */
export function concealLoss(previous: Int16Array, count: number): Int16Array {
  const filled = new Int16Array(count);
  const repeated = Math.min(previous.length, count);
  for (let i = 0; i < repeated; i++) filled[i] = Math.round((previous[i] as number) * (1 - (i + 1) / repeated));
  return filled;
}
