const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;
const MAX_SAMPLE_SIZE = 0x7fff;
const PCM = 1;
const MONO = 1;

/** @param samples of one channel, −1…1. @returns a WAV file with 16 bits a sample. */
export function wavFile(samples: Float32Array, sampleRate: number): ArrayBuffer {
  const dataBytes = samples.length * BYTES_PER_SAMPLE;
  const file = new ArrayBuffer(HEADER_BYTES + dataBytes);
  const view = new DataView(file);
  const text = (at: number, letters: string): void => {
    for (let index = 0; index < letters.length; index++) view.setUint8(at + index, letters.charCodeAt(index));
  };
  text(0, 'RIFF');
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true); // bytes of this part of the header
  view.setUint16(20, PCM, true);
  view.setUint16(22, MONO, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * BYTES_PER_SAMPLE, true);
  view.setUint16(32, BYTES_PER_SAMPLE, true);
  view.setUint16(34, BYTES_PER_SAMPLE * 8, true);
  text(36, 'data');
  view.setUint32(40, dataBytes, true);
  samples.forEach((sample, index) => {
    const whole = Math.round(Math.max(-1, Math.min(1, sample)) * MAX_SAMPLE_SIZE);
    view.setInt16(HEADER_BYTES + index * BYTES_PER_SAMPLE, whole, true);
  });
  return file;
}
