import { writableTrack, type WritableTrack } from './breakout-box.ts';
// The linter does not know that Vite makes it.
// oxlint-disable-next-line import/default
import VoiceWorker from './voice-worker.ts?worker&inline';

/** The persona's microphone. The track is the same all the time, as its camera's. */
export class PersonaMicrophone {
  readonly track: WritableTrack<AudioData> = writableTrack<AudioData>('audio');
  readonly #worker = new VoiceWorker();

  constructor() {
    const { writable } = this.track;
    this.#worker.postMessage(writable, [writable]);
  }

  /**
   * From now on the others hear what this receives. Its packets go to the worker, and its own track stays silent.
   * @param receiver one that was just made: later, Chromium ignores this.
   */
  say(receiver: RTCRtpReceiver): void {
    receiver.transform = new RTCRtpScriptTransform(this.#worker);
  }
}
