import type { Frame } from 'node-av/lib';

/** Sound of one channel. */
export interface DecodedSpeech {
  readonly pcm: Int16Array;
  /** Hz, as it was recorded. */
  readonly sampleRate: number;
}

/** Rates that speech has. */
const [LOWEST_RATE, HIGHEST_RATE] = [8_000, 96_000];
/** More than the resampler ever holds back. */
const SLACK_SAMPLES = 512;

// Loaded only where a service sends files.
const loaded = () => Promise.all([import('node-av/api'), import('node-av/lib'), import('node-av/constants')]);

/**
 * Decodes a file of sound (WAV, MP3, Ogg, FLAC, AAC …) to one channel at its own rate. @throws Error when it is none, or
 * has a rate that speech does not have.
 */
export async function decodeSpeech(file: Buffer): Promise<DecodedSpeech> {
  const [{ Decoder, Demuxer }, { Log }, { AV_LOG_QUIET }] = await loaded();
  Log.setLevel(AV_LOG_QUIET);
  const input = await Demuxer.open(file);
  try {
    const stream = input.audio();
    if (stream === undefined) throw new Error('There is no sound in it.');
    const decoder = await Decoder.create(stream);
    try {
      return await oneChannel(decoder.frames(input.packets(stream.index)));
    } finally {
      decoder.close();
    }
  } finally {
    await input.close();
  }
}

async function oneChannel(frames: AsyncIterable<Frame | null>): Promise<DecodedSpeech> {
  const parts: Int16Array[] = [];
  let [sampleRate, mixer] = [0, null as Awaited<ReturnType<typeof mixerFor>> | null];
  try {
    for await (const frame of frames) {
      if (frame === null) continue;
      try {
        mixer ??= await mixerFor(frame);
        sampleRate ||= frame.sampleRate;
        parts.push(mix(mixer, frame.extendedData ?? frame.data, frame.nbSamples));
      } finally {
        frame.free();
      }
    }
    if (mixer !== null) parts.push(mix(mixer, null, 0));
  } finally {
    mixer?.free();
  }
  return { pcm: joined(parts), sampleRate };
}

async function mixerFor({ sampleRate, channelLayout, format }: Frame) {
  if (sampleRate < LOWEST_RATE || sampleRate > HIGHEST_RATE) throw new Error(`It has ${sampleRate} Hz.`);
  const [, { SoftwareResampleContext }, { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_S16 }] = await loaded();
  const mixer = new SoftwareResampleContext();
  const from = format as typeof AV_SAMPLE_FMT_S16;
  const set = mixer.allocSetOpts2(
    AV_CHANNEL_LAYOUT_MONO,
    AV_SAMPLE_FMT_S16,
    sampleRate,
    channelLayout,
    from,
    sampleRate,
  );
  if (set < 0 || mixer.init() < 0) throw new Error('Its channels are not known.');
  return mixer;
}

/** @param planes null: the end. */
function mix(mixer: Awaited<ReturnType<typeof mixerFor>>, planes: Buffer[] | null, count: number): Int16Array {
  const out = Buffer.alloc((count + SLACK_SAMPLES) * 2);
  const made = mixer.convertSync([out], count + SLACK_SAMPLES, planes, count);
  return new Int16Array(out.buffer, out.byteOffset, Math.max(0, made));
}

function joined(parts: readonly Int16Array[]): Int16Array {
  const pcm = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    pcm.set(part, at);
    at += part.length;
  }
  return pcm;
}
