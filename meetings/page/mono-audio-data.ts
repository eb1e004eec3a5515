/** A frame of sound, of now. */
export function monoAudioData(samples: Float32Array<ArrayBuffer>, sampleRate: number): AudioData {
  return new AudioData({
    format: 'f32',
    sampleRate,
    numberOfFrames: samples.length,
    numberOfChannels: 1,
    timestamp: performance.now() * 1000,
    data: samples,
  });
}
