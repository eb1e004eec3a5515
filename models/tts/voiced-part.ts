/** Of the loudest sample: what is quieter at the beginning and the end is the model's silence. */
const SILENT_SHARE = 0.02;

/** @returns where the voice begins and ends, in samples; the whole sound when all of it is silent. */
export function voicedPart(samples: Float32Array): { readonly from: number; readonly to: number } {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  const silent = (sample: number) => Math.abs(sample) <= peak * SILENT_SHARE;
  if (peak === 0) return { from: 0, to: samples.length };
  let from = 0;
  while (silent(samples[from]!)) from += 1;
  let to = samples.length;
  while (silent(samples[to - 1]!)) to -= 1;
  return { from, to };
}
