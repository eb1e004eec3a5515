import { PersonaDevice } from './persona-device.ts';

const EVERY_MS = 20;
const RATE = 48_000;
const SILENCE = new Float32Array((EVERY_MS * RATE) / 1000);

/** Silence until the session starts: a meeting takes a microphone that gives nothing at all for broken. */
export function personaMicrophone(): PersonaDevice<AudioData> {
  return new PersonaDevice('audio', EVERY_MS, () => monoSound(SILENCE, RATE));
}

/** A frame of sound, of now. */
export function monoSound(samples: Float32Array<ArrayBuffer>, sampleRate: number): AudioData {
  return new AudioData({
    format: 'f32',
    sampleRate,
    numberOfFrames: samples.length,
    numberOfChannels: 1,
    timestamp: performance.now() * 1000,
    data: samples,
  });
}
