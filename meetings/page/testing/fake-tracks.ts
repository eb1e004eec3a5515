import { vi } from 'vitest';

/** A track that a test plays into, and that keeps what is written into it. */
export class FakeTrack extends EventTarget {
  readonly kind: string;
  readonly id: string;
  #source!: ReadableStreamDefaultController<unknown>;
  readonly written: unknown[] = [];
  readonly writable = new WritableStream<unknown>({ write: (frame) => void this.written.push(frame) });
  readonly readable = new ReadableStream<unknown>({ start: (controller) => void (this.#source = controller) });

  constructor({ kind, id = 'track' }: { kind: string; id?: string }) {
    super();
    this.kind = kind;
    this.id = id;
  }

  play(frame: unknown): void {
    this.#source.enqueue(frame);
  }

  end(): void {
    this.#source.close();
  }
}

/** Sound of one channel, as the browser's `AudioData`. */
export class FakeSound {
  readonly samples: readonly number[];
  readonly sampleRate: number;
  readonly numberOfChannels = 1;
  isClosed = false;

  constructor({ data, sampleRate = 48_000 }: { data: Iterable<number>; sampleRate?: number }) {
    this.samples = [...data];
    this.sampleRate = sampleRate;
  }

  get numberOfFrames(): number {
    return this.samples.length;
  }

  copyTo(into: Float32Array): void {
    into.set(this.samples);
  }

  close(): void {
    this.isClosed = true;
  }
}

/** Puts fakes into the place of what a browser has. `vi.unstubAllGlobals` takes them away. */
export function stubTracks(): void {
  vi.stubGlobal('MediaStreamTrackGenerator', FakeTrack);
  vi.stubGlobal(
    'MediaStreamTrackProcessor',
    class {
      readonly readable: ReadableStream<unknown>;
      constructor({ track }: { track: FakeTrack }) {
        this.readable = track.readable;
      }
    },
  );
  vi.stubGlobal('AudioData', FakeSound);
  vi.stubGlobal('MediaStream', Object);
  vi.stubGlobal(
    'Audio',
    class {
      play = () => Promise.resolve();
    },
  );
}

/** A track of these fakes, as the code takes it. */
export const asTrack = (track: FakeTrack): MediaStreamTrack => track as unknown as MediaStreamTrack;
export const asFake = (track: MediaStreamTrack): FakeTrack => track as unknown as FakeTrack;
