/** Multiplies samples in place, and clips them. @param factor 1 changes nothing. */
export function scaleLoudness(pcm: Int16Array, factor: number): void {
  if (factor === 1) return;
  for (let k = 0; k < pcm.length; k += 1) pcm[k] = Math.max(-32_768, Math.min(32_767, Math.round(pcm[k]! * factor)));
}
