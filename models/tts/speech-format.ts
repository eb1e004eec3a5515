/** What a service sends when it is asked for speech. */
export type SpeechFormat =
  /** Samples of 16 bits. */
  | {
      readonly kind: 'samples';
      readonly sampleRate: number;
      readonly channels: number;
      readonly bigEndian: boolean;
      /** Samples of 8 bits, as telephones have them. */
      readonly law: 'µ' | 'a' | null;
    }
  /** A file that is decoded as a whole. */
  | { readonly kind: 'file' }
  /** No sound: an error that was sent as success. */
  | { readonly kind: 'none' };

/** Names of G.711 (RFC 4856; `audio/basic` is RFC 2046). */
const LAWS = [
  [/^audio\/(x-)?(pcmu|mulaw|ulaw|basic)$/, 'µ'],
  [/^audio\/(x-)?(pcma|alaw)$/, 'a'],
] as const;
const TELEPHONE_HZ = 8000;

/** Bytes that tell it. */
export const TELLING_BYTES = 4096;

/**
 * What the first bytes are, whatever was asked for: many servers send WAV or MP3 for `pcm`. @param contentType as the
 * service says; it is often wrong. @param usualRate of raw samples when nothing is said.
 */
export function speechFormat(start: Buffer, contentType: string, usualRate: number): SpeechFormat {
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (start.length === 0 || isText(start)) return { kind: 'none' };
  const law = LAWS.find(([types]) => types.test(type))?.[1] ?? null;
  const isRaw = law !== null || /^audio\/(pcm|l16|x-raw|raw|x-pcm)$/.test(type);
  if (isFile(start) || (!isRaw && (isFramed(start, mp3Length) || isFramed(start, aacLength)))) return { kind: 'file' };
  // What says that it is a file of sound and is none is no speech.
  if (/^audio\/(wav|x-wav|wave|ogg|flac|mp4|webm|aac)$/.test(type)) return { kind: 'file' };
  if (/^(text|image|video)\/|json|html|xml/.test(type)) return { kind: 'none' };
  const number = (name: string, usual: number): number => {
    const value = Number(parameters.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1));
    return Number.isInteger(value) && value > 0 ? value : usual;
  };
  const channels = number('channels', 1);
  return {
    kind: 'samples',
    sampleRate: number('rate', number('sample-rate', law === null ? usualRate : TELEPHONE_HZ)),
    channels,
    // The standard says so of L16; most servers send the bytes as they have them.
    bigEndian: type === 'audio/l16' && isSmoother(start, channels),
    law,
  };
}

function isFile(start: Buffer): boolean {
  const begins = (text: string, at = 0): boolean => start.toString('latin1', at, at + text.length) === text;
  return (
    ((begins('RIFF') || begins('RF64')) && begins('WAVE', 8)) ||
    ['OggS', 'fLaC', 'ID3', 'FORM', '.snd', 'caff', '\x1aE\xdf\xa3', '\x30\x26\xb2\x75\x8e\x66'].some((magic) =>
      begins(magic),
    ) ||
    begins('ftyp', 4)
  );
}

/** Bit rates of MPEG 1 and 2, layer 3, kbit/s; rates in Hz. */
const BIT_RATES = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
} as const;
const RATES = [44_100, 48_000, 32_000, 0];

/** Two headers of frames one behind the other: samples may look like the first by chance. */
function isFramed(start: Buffer, lengthOf: (bytes: Buffer, at: number) => number): boolean {
  const length = lengthOf(start, 0);
  return length > 0 && (start.length < length + 7 || lengthOf(start, length) > 0);
}

/** Of an MP3. */
function mp3Length(bytes: Buffer, at: number): number {
  if (bytes.length < at + 4 || bytes[at] !== 0xff || (bytes[at + 1]! & 0xe6) !== 0xe2) return 0;
  const version = (bytes[at + 1]! >> 3) & 3;
  const bitRate = BIT_RATES[version === 3 ? 1 : 2][bytes[at + 2]! >> 4]!;
  const rate = RATES[(bytes[at + 2]! >> 2) & 3]! / (version === 3 ? 1 : version === 2 ? 2 : 4);
  if (bitRate === 0 || rate === 0 || version === 1) return 0;
  return Math.floor(((version === 3 ? 144_000 : 72_000) * bitRate) / rate) + ((bytes[at + 2]! >> 1) & 1);
}

/** Of AAC without a container (ADTS, ISO 14496-3 1.A.2), which OpenAI's form names as `aac`. */
function aacLength(bytes: Buffer, at: number): number {
  if (bytes.length < at + 7 || bytes[at] !== 0xff || (bytes[at + 1]! & 0xf6) !== 0xf0) return 0;
  const length = ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5);
  return ((bytes[at + 2]! >> 2) & 15) < 13 && length > 7 ? length : 0;
}

/** JSON, a page, or a sentence: nothing but characters where samples are everything. */
function isText(start: Buffer): boolean {
  const sample = start.subarray(0, 64);
  if (!/^\s*(?:[{["<]|[A-Za-z])/.test(sample.toString('latin1')) || isFile(start)) return false;
  return sample.every(
    (byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 0x20 && byte < 0x7f) || byte >= 0xc2,
  );
}

/** Speech changes little from one sample to the next; with its bytes the wrong way round it jumps. */
function isSmoother(bytes: Buffer, channels: number): boolean {
  const jumps = (read: (at: number) => number): number => {
    let sum = 0;
    for (let at = 0; at + 2 * channels + 1 < bytes.length; at += 2) sum += Math.abs(read(at) - read(at + 2 * channels));
    return sum;
  };
  return jumps((at) => bytes.readInt16BE(at)) < jumps((at) => bytes.readInt16LE(at));
}
