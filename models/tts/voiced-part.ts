/** Share of the loudest sample. What is quieter at the beginning and the end is silence of the model. */
const SILENT_SHARE = 0.02;

/** @returns the first and the last sample of the voice; all samples if all are silent. */
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
