import { writableTrack } from './breakout-box.ts';
import VoiceWorker from './voice-worker.ts?worker&inline';

declare const RTCRtpScriptTransform: new (worker: Worker) => object;

/** Silence until the session starts: a meeting takes a microphone that gives nothing at all for broken. */
export class PersonaMicrophone {
  readonly track: MediaStreamTrack;
  readonly #worker: Worker;

  constructor() {
    const track = writableTrack<AudioData>('audio');
    this.track = track;
    this.#worker = new VoiceWorker();
    this.#worker.postMessage(track.writable, [track.writable]);
  }

  say(receiver: RTCRtpReceiver): void {
    Object.assign(receiver, { transform: new RTCRtpScriptTransform(this.#worker) });
  }
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
