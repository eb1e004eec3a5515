import { FRAME_SAMPLES, SAMPLES_PER_MS } from '../../media/audio-format.ts';
import { SampleQueue } from './sample-queue.ts';

/** When sound that still arrives may be played: how much must be there to start, and to continue after it ran dry. */
export interface Buffering {
  readonly startSamples: number;
  readonly resumeSamples: number;
}

/** One thing to be heard: a sentence, or one sequence of client-made speech. Times are samples at 48 kHz. */
export interface PlaybackItem {
  readonly id: string;
  readonly buffering: Buffering;
  /** Silence after it. */
  readonly pauseSamples: number;
  readonly queue: SampleQueue;
  /**
   * Samples that have arrived and will follow those in the queue, because a resampler keeps the latest ones back. They
   * count as buffered.
   */
  heldBack: number;
  /** `arriving`: more sound may come. */
  supply: 'arriving' | 'complete';
  /** `waiting`: nothing sent yet. `dry`: ran out in the middle. */
  state: 'waiting' | 'playing' | 'dry';
  sentSamples: number;
}

/** What went into a frame, in order. `offset` is in samples from the frame's start. */
export type PlaybackMark =
  /**
   * The item's sample `position` is at `offset`. Reported at the item's start, and again where it continues after it
   * ran dry.
   */
  | { readonly type: 'sounds'; readonly item: PlaybackItem; readonly offset: number; readonly position: number }
  | { readonly type: 'ranDry'; readonly item: PlaybackItem }
  | { readonly type: 'ended'; readonly item: PlaybackItem };

/**
 * The sound of one session as one queue. Items play in order without a gap except for their pauses, each when enough of
 * it is there. Knows to the sample what was sent.
 */
export class PlaybackQueue {
  #items: PlaybackItem[] = [];
  #pauseLeft = 0;

  add(id: string, buffering: Buffering, pauseMs: number): PlaybackItem {
    const item: PlaybackItem = {
      id,
      buffering,
      pauseSamples: Math.round(pauseMs * SAMPLES_PER_MS),
      queue: new SampleQueue(),
      heldBack: 0,
      supply: 'arriving',
      state: 'waiting',
      sentSamples: 0,
    };
    this.#items.push(item);
    return item;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0 && this.#pauseLeft === 0;
  }

  /** The item being heard, if any. */
  get current(): PlaybackItem | null {
    const head = this.#items[0];
    return head && head.state !== 'waiting' ? head : null;
  }

  /** Whether a frame made now would contain sound. */
  get hasAudio(): boolean {
    const head = this.#items[0];
    return this.#pauseLeft === 0 && head !== undefined && head.queue.length > 0 && mayPlay(head);
  }

  /**
   * Fills one frame, with silence where there is no sound.
   * @returns its content; `silent` when no sample of it comes from an item.
   */
  read(frame: Int16Array): { silent: boolean; marks: PlaybackMark[] } {
    frame.fill(0);
    const marks: PlaybackMark[] = [];
    let position = 0;
    let silent = true;
    while (position < FRAME_SAMPLES) {
      if (this.#pauseLeft > 0) {
        const rest = Math.min(this.#pauseLeft, FRAME_SAMPLES - position);
        this.#pauseLeft -= rest;
        position += rest;
        continue;
      }
      const head = this.#items[0];
      if (!head) break;
      if (head.queue.length > 0) {
        if (!mayPlay(head)) {
          runDry(head, marks);
          break;
        }
        if (head.state !== 'playing')
          marks.push({ type: 'sounds', item: head, offset: position, position: head.sentSamples });
        head.state = 'playing';
        const taken = head.queue.take(frame.subarray(position));
        head.sentSamples += taken;
        position += taken;
        silent = false;
      }
      if (head.queue.length === 0) {
        if (head.supply === 'arriving') {
          // A frame that is not full means that the supply did not keep up.
          if (position < FRAME_SAMPLES) runDry(head, marks);
          break;
        }
        marks.push({ type: 'ended', item: head });
        this.#items.shift();
        this.#pauseLeft = head.pauseSamples;
      }
    }
    return { silent, marks };
  }

  /**
   * Empties the queue.
   * @param tail gets the next samples of the current item, for a fade. @returns the removed items and how many samples
   * went into `tail`; these count as sent.
   */
  cut(tail: Int16Array): { items: PlaybackItem[]; tailSamples: number } {
    const items = this.#items;
    const head = items[0];
    const tailSamples = head?.state === 'playing' ? head.queue.take(tail) : 0;
    if (head) head.sentSamples += tailSamples;
    this.#items = [];
    this.#pauseLeft = 0;
    return { items, tailSamples };
  }
}

/** A started item continues while it has a whole frame. An item that ran dry waits until it has enough again. */
function mayPlay(item: PlaybackItem): boolean {
  if (item.supply === 'complete') return true;
  if (item.state === 'playing') return item.queue.length >= FRAME_SAMPLES;
  const needed = item.state === 'waiting' ? item.buffering.startSamples : item.buffering.resumeSamples;
  return item.queue.length + item.heldBack >= needed;
}

function runDry(item: PlaybackItem, marks: PlaybackMark[]): void {
  if (item.state !== 'playing') return;
  item.state = 'dry';
  marks.push({ type: 'ranDry', item });
}
