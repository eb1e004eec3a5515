/** @returns the same sound in -1…1. */
export function toFloat(pcm: Int16Array): Float32Array {
  return Float32Array.from(pcm, (value) => value / 32_768);
}

/** @param factor loudness; 1 is as it is. @returns the same sound as 16-bit samples, held at the limits. */
export function toPcm16(samples: Float32Array, factor = 1): Int16Array {
  return Int16Array.from(samples, (value) => Math.max(-32_768, Math.min(32_767, Math.round(value * factor * 32_767))));
}
