/**
 * Runs in a worker: writes the persona's voice to its microphone's track.
 */
declare const self: {
  onmessage: ((event: MessageEvent<WritableStream<AudioData>>) => void) | null;
  onrtctransform: ((event: { readonly transformer: { readonly readable: ReadableStream<EncodedSound> } }) => void) | null;
};

interface EncodedSound {
  readonly data: ArrayBuffer;
}

const EVERY_MS = 20;
const RATE = 48_000;
const SILENCE = new Float32Array((EVERY_MS * RATE) / 1000);

let write: (sound: AudioData) => void = (sound) => sound.close();
let waiting: ReturnType<typeof setInterval> | undefined;

self.onmessage = ({ data }) => {
  const writer = data.getWriter();
  write = (sound) => void writer.write(sound).catch(() => sound.close());
  waiting = setInterval(
    () =>
      write(
        new AudioData({
          format: 'f32',
          sampleRate: RATE,
          numberOfFrames: SILENCE.length,
          numberOfChannels: 1,
          timestamp: performance.now() * 1000,
          data: SILENCE,
        }),
      ),
    EVERY_MS,
  );
};

self.onrtctransform = ({ transformer }) => void hear(transformer.readable);

async function hear(packets: ReadableStream<EncodedSound>): Promise<void> {
  let decoder = newDecoder();
  const reader = packets.getReader();
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return;
    clearInterval(waiting);
    if (decoder.state === 'closed') decoder = newDecoder();
    decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp: performance.now() * 1000, data: value.data }));
  }
}

function newDecoder(): AudioDecoder {
  const decoder = new AudioDecoder({ output: (sound) => write(sound), error: () => undefined });
  decoder.configure({ codec: 'opus', sampleRate: RATE, numberOfChannels: 1 });
  return decoder;
}
