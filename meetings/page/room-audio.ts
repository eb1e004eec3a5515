import type { SoundSource } from './page-messages.ts';
import { SpeakingDetector } from './speaking.ts';

/** ms between two looks at the levels: some frames of 20 ms, so that the start of a word counts as speech in time. */
const LOOK_MS = 50;
/** Samples of one look at 48 kHz: 43 ms. */
const WINDOW = 2048;

interface Heard extends SoundSource {
  readonly track: MediaStreamTrack;
  readonly analyser: AnalyserNode;
  readonly nodes: readonly AudioNode[];
  readonly element: HTMLAudioElement;
  readonly speech: SpeakingDetector;
}

/** The sound of all others: one source for each track, mixed into one track. */
export class RoomAudio {
  readonly #context: AudioContext;
  readonly #mix: MediaStreamAudioDestinationNode;
  readonly #heard = new Map<string, Heard>();
  readonly #window = new Float32Array(WINDOW);
  readonly #changed: (key: string, speaking: boolean) => void;

  /** @param changed called when the sound of a source becomes speech, or ends to be it. */
  constructor(context: AudioContext, changed: (key: string, speaking: boolean) => void) {
    this.#context = context;
    this.#changed = changed;
    this.#mix = context.createMediaStreamDestination();
    setInterval(() => this.#look(), LOOK_MS);
  }

  /** All that is heard, for the session. */
  get track(): MediaStreamTrack {
    return this.#mix.stream.getAudioTracks()[0]!;
  }

  sources(): readonly SoundSource[] {
    return [...this.#heard.values()];
  }

  speaking(key: string): boolean {
    return this.#heard.get(key)?.speech.speaking ?? false;
  }

  /** @param key unique among all connections of the page. */
  add(key: string, connection: object, track: MediaStreamTrack, stream: MediaStream | undefined): void {
    if (this.#heard.has(key)) return;
    const own = new MediaStream([track]);
    // A remote track is silent in Web Audio until it is attached to a media element.
    const element = new Audio();
    element.muted = true;
    element.srcObject = own;
    element.play().catch(() => undefined);
    const source = this.#context.createMediaStreamSource(own);
    const analyser = this.#context.createAnalyser();
    analyser.fftSize = WINDOW;
    source.connect(analyser);
    source.connect(this.#mix);
    const nodes = [source, analyser];
    const speech = new SpeakingDetector();
    this.#heard.set(key, {
      key,
      connection,
      trackId: track.id,
      streamId: stream?.id ?? '',
      track,
      analyser,
      nodes,
      element,
      speech,
    });
    track.addEventListener('ended', () => this.remove(key));
  }

  remove(key: string): void {
    const heard = this.#heard.get(key);
    if (heard === undefined) return;
    this.#heard.delete(key);
    for (const node of heard.nodes) node.disconnect();
    heard.element.srcObject = null;
    if (heard.speech.speaking) this.#changed(key, false);
  }

  removeConnection(connection: object): void {
    for (const heard of this.#heard.values()) if (heard.connection === connection) this.remove(heard.key);
  }

  #look(): void {
    for (const { key, analyser, speech } of this.#heard.values()) {
      analyser.getFloatTimeDomainData(this.#window);
      let energy = 0;
      for (const sample of this.#window) energy += sample * sample;
      const changed = speech.heard(Math.sqrt(energy / WINDOW), performance.now());
      if (changed !== null) this.#changed(key, changed);
    }
  }
}
