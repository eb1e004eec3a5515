/** The persona's voice as a microphone: silence until the session starts. The track is the same all the time. */
export class PersonaMicrophone {
  readonly #context: AudioContext;
  readonly #out: MediaStreamAudioDestinationNode;
  #voice: MediaStreamAudioSourceNode | null = null;
  readonly #element = new Audio();

  constructor(context: AudioContext) {
    this.#context = context;
    this.#out = context.createMediaStreamDestination();
    // Without an input the destination gives no frames at all, and a meeting takes that for a broken microphone.
    const silence = context.createConstantSource();
    silence.offset.value = 0;
    silence.connect(this.#out);
    silence.start();
    this.#element.muted = true;
  }

  get track(): MediaStreamTrack {
    return this.#out.stream.getAudioTracks()[0]!;
  }

  /** From now on the others hear this. */
  speak(voice: MediaStreamTrack): void {
    const stream = new MediaStream([voice]);
    this.#element.srcObject = stream;
    this.#element.play().catch(() => undefined);
    this.#voice?.disconnect();
    this.#voice = this.#context.createMediaStreamSource(stream);
    this.#voice.connect(this.#out);
  }
}
