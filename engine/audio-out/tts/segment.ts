import type { SynthesisChunk } from '../../../models/ports.ts';
import type { AudioOutHandlers } from '../../ports.ts';
import { SAMPLES_PER_MS } from '../../media/audio-format.ts';
import { Coarticulation } from '../mouth/coarticulation.ts';
import { MouthFromAudio } from '../mouth/mouth-from-audio.ts';
import { MouthSchedule } from '../mouth/mouth-schedule.ts';
import type { PlaybackItem } from '../queue/playback-queue.ts';
import { Resampler } from './resampler.ts';

/** One sentence on its way from the synthesizer to the playback queue: resampled, timed, with its mouth. */
export class Segment {
  readonly id: string;
  readonly text: string;
  readonly language: string;
  readonly spoken: boolean;
  readonly item: PlaybackItem;
  readonly mouth: MouthSchedule;
  /**
   * `queued`: not requested yet. `asked`: no sound so far. `failed`: sound that arrived is played, then the segment
   * counts as failed.
   */
  state: 'queued' | 'asked' | 'sounding' | 'complete' | 'failed' = 'queued';
  failure: string | null = null;
  stop: () => void = () => {};
  readonly #handlers: AudioOutHandlers;
  readonly #coarticulation = new Coarticulation();
  /** Where the mouth comes from. The first data decides: phonemes (also together with sound) or sound alone. */
  #mouthSource: 'undecided' | 'phonemes' | 'audio' = 'undecided';
  readonly #fromAudio = new MouthFromAudio();
  /** Sound whose mouth is not known yet. */
  readonly #unshaped: Int16Array[] = [];
  #resampler: Resampler | null = null;
  #samples = 0;

  constructor(
    segment: { segmentId: string; text: string; language: string; spoken?: true },
    item: PlaybackItem,
    handlers: AudioOutHandlers,
  ) {
    this.id = segment.segmentId;
    this.text = segment.text;
    this.language = segment.language;
    this.spoken = segment.spoken === true;
    this.item = item;
    this.mouth = new MouthSchedule(segment.segmentId, handlers);
    this.#handlers = handlers;
  }

  /**
   * Queues the chunk's sound. Its mouth waits for `shapeMouth`, so that the first packet can be sent before.
   * @throws RangeError when the provider's sample rate cannot be used.
   */
  take(chunk: SynthesisChunk): void {
    if (this.#mouthSource === 'undecided' && chunk.phonemes?.length) this.#mouthSource = 'phonemes';
    if (chunk.pcm.length > 0) this.#audio(chunk);
    if (this.#mouthSource === 'phonemes' && chunk.phonemes?.length)
      this.mouth.add(this.#coarticulation.add(chunk.phonemes));
    if (chunk.words?.length) this.#timing(chunk.words, false);
  }

  /** Finds the mouth of the sound that was taken. */
  shapeMouth(): void {
    for (const pcm of this.#unshaped.splice(0)) this.mouth.add(this.#fromAudio.add(pcm));
  }

  /** No more sound comes. */
  complete(): void {
    this.state = 'complete';
    this.#flush();
    this.#timing([], true);
  }

  fail(message: string): void {
    this.state = 'failed';
    this.failure = message;
    this.#flush();
  }

  /** Frees native memory. */
  close(): void {
    this.stop();
    this.#resampler?.close();
  }

  #audio(chunk: SynthesisChunk): void {
    if (this.state === 'asked') {
      this.state = 'sounding';
      if (this.#mouthSource === 'undecided') this.#mouthSource = 'audio';
      this.#handlers.report({ type: 'speech.firstAudio', segmentId: this.id });
    }
    if (this.#resampler?.inputRate !== chunk.sampleRate) {
      if (this.#resampler) this.#push(this.#resampler.finish());
      this.#resampler = new Resampler(chunk.sampleRate);
    }
    this.#push(this.#resampler!.convert(chunk.pcm));
  }

  #push(pcm: Int16Array): void {
    this.#samples += pcm.length;
    this.item.queue.push(pcm);
    this.mouth.hear(pcm);
    if (this.#mouthSource === 'audio') this.#unshaped.push(pcm);
  }

  #flush(): void {
    if (this.#resampler) this.#push(this.#resampler.finish());
    this.item.supply = 'complete';
    this.shapeMouth();
    this.mouth.add(this.#mouthSource === 'audio' ? this.#fromAudio.finish() : this.#coarticulation.finish());
  }

  #timing(words: SynthesisChunk['words'], complete: boolean): void {
    this.#handlers.report({
      type: 'speech.timing',
      segmentId: this.id,
      words: words ?? [],
      durationMs: this.#samples / SAMPLES_PER_MS,
      complete,
    });
  }
}
