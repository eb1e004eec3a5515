import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Packet, PersonaVoice } from './persona-voice.ts';
import { asFake, asTrack, FakeSound, FakeTrack, stubTracks } from './testing/fake-tracks.ts';

/** Decodes each packet to a sound with the packet's bytes as samples; a zero closes it. */
class FakeDecoder {
  state = 'unconfigured';
  readonly #output: (sound: FakeSound) => void;

  constructor({ output }: { output: (sound: FakeSound) => void }) {
    this.#output = output;
  }

  configure(): void {
    this.state = 'configured';
  }

  decode({ data }: { data: ArrayBuffer }): void {
    if (this.state === 'closed') throw new Error('It is closed.');
    const bytes = [...new Uint8Array(data)];
    if (bytes.includes(0)) this.state = 'closed';
    else this.#output(new FakeSound({ data: bytes }));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  stubTracks();
  vi.stubGlobal('AudioDecoder', FakeDecoder);
  vi.stubGlobal(
    'EncodedAudioChunk',
    class {
      readonly data: ArrayBuffer;
      constructor({ data }: { data: ArrayBuffer }) {
        this.data = data;
      }
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function packets(): {
  stream: ReadableStream<Packet>;
  arrive: (...bytes: number[]) => void;
  isCancelled: () => boolean;
} {
  let source!: ReadableStreamDefaultController<Packet>;
  let isCancelled = false;
  const stream = new ReadableStream<Packet>({
    start: (controller) => void (source = controller),
    cancel: () => void (isCancelled = true),
  });
  return {
    stream,
    arrive: (...bytes) => source.enqueue({ data: Uint8Array.from(bytes).buffer }),
    isCancelled: () => isCancelled,
  };
}

function microphone(): { voice: PersonaVoice; samples: () => number[][] } {
  const track = new FakeTrack({ kind: 'audio' });
  const { written } = asFake(asTrack(track));
  return {
    voice: new PersonaVoice(track.writable as WritableStream<AudioData>),
    samples: () => (written as FakeSound[]).map((sound) => [...sound.samples]),
  };
}

it("the persona's microphone is silent until the session speaks, and then has nothing but its voice", async () => {
  const { voice, samples } = microphone();
  await vi.advanceTimersByTimeAsync(40);
  expect(samples()).toEqual([Array(960).fill(0), Array(960).fill(0)]);

  const session = packets();
  void voice.say(session.stream);
  await vi.advanceTimersByTimeAsync(20);
  expect(samples()).toHaveLength(3);
  session.arrive(1, 2);
  session.arrive(3);
  await vi.advanceTimersByTimeAsync(100);
  expect(samples().slice(3)).toEqual([[1, 2], [3]]);
});

it('a packet that is not Opus costs no other packet', async () => {
  const { voice, samples } = microphone();
  const session = packets();
  void voice.say(session.stream);
  for (const byte of [1, 0, 2]) session.arrive(byte);
  await vi.advanceTimersByTimeAsync(0);
  expect(samples()).toEqual([[1], [2]]);
});

it('a second session is heard instead of the first one', async () => {
  const { voice, samples } = microphone();
  const [first, second] = [packets(), packets()];
  void voice.say(first.stream);
  first.arrive(1);
  await vi.advanceTimersByTimeAsync(0);
  void voice.say(second.stream);
  second.arrive(2);
  await vi.advanceTimersByTimeAsync(0);
  expect(first.isCancelled()).toBe(true);
  expect(samples()).toEqual([[1], [2]]);
});
