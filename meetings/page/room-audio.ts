import { AudioMixer } from './audio-mixer.ts';
import { framesOf, type TrackFrames, writableTrack, type WritableTrack } from './breakout-box.ts';
import type { SoundSource } from './page-messages.ts';
import { monoAudioData } from './mono-audio-data.ts';
import { SpeakingDetector } from './speaking.ts';

/** ms between two looks whether somebody has become quiet: a track may give no more frames at all. */
const LOOK_MS = 50;

interface Heard extends SoundSource {
  readonly frames: TrackFrames<AudioData>;
  readonly speech: SpeakingDetector;
}

/** The sound of all others: one source for each track, mixed into one track. */
export class RoomAudio {
  /** All that is heard, for the session. */
  readonly track: WritableTrack<AudioData> = writableTrack<AudioData>('audio');
  readonly #heard = new Map<string, Heard>();
  readonly #mixer: AudioMixer;
  readonly #changed: (key: string, speaking: boolean) => void;
  /** The browser takes all tracks at the same rate. */
  #sampleRate = 48_000;

  /** @param changed called when the sound of a source becomes speech, or ends to be it. */
  constructor(changed: (key: string, speaking: boolean) => void) {
    this.#changed = changed;
    const writer = this.track.writable.getWriter();
    this.#mixer = new AudioMixer((samples) => {
      const sound = monoAudioData(samples, this.#sampleRate);
      writer.write(sound).catch(() => sound.close());
    });
    setInterval(() => {
      for (const heard of this.#heard.values()) this.#note(heard, 0);
    }, LOOK_MS);
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
    const heard: Heard = {
      key,
      connection,
      trackId: track.id,
      streamId: stream?.id ?? '',
      frames: framesOf<AudioData>(track),
      speech: new SpeakingDetector(),
    };
    this.#heard.set(key, heard);
    this.#mixer.add(key);
    void this.#listen(heard);
  }

  remove(key: string): void {
    const heard = this.#heard.get(key);
    if (heard === undefined) return;
    this.#heard.delete(key);
    this.#mixer.remove(key);
    heard.frames.stop();
    if (heard.speech.speaking) this.#changed(key, false);
  }

  removeConnection(connection: object): void {
    for (const heard of this.#heard.values()) if (heard.connection === connection) this.remove(heard.key);
  }

  /** Until the track ends. */
  async #listen(heard: Heard): Promise<void> {
    for (;;) {
      const sound = await heard.frames.read();
      if (sound === null) return this.remove(heard.key);
      this.#sampleRate = sound.sampleRate;
      const samples = monoOf(sound);
      sound.close();
      this.#mixer.push(heard.key, samples);
      this.#note(heard, rms(samples));
    }
  }

  #note({ key, speech }: Heard, level: number): void {
    const changed = speech.heard(level, performance.now());
    if (changed !== null) this.#changed(key, changed);
  }
}

function rms(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** The mean of the channels. */
function monoOf(sound: AudioData): Float32Array {
  const { numberOfFrames, numberOfChannels } = sound;
  const mono = new Float32Array(numberOfFrames);
  const channel = new Float32Array(numberOfFrames);
  for (let planeIndex = 0; planeIndex < numberOfChannels; planeIndex += 1) {
    sound.copyTo(channel, { planeIndex, format: 'f32-planar' });
    for (let i = 0; i < numberOfFrames; i += 1) mono[i]! += channel[i]! / numberOfChannels;
  }
  return mono;
}
