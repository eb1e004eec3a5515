/** Kinds of sound files: what a browser plays, by the ending of the file. */
const TYPES = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  m4a: 'audio/mp4',
  flac: 'audio/flac',
  webm: 'audio/webm',
} as const;
export type AudioExtension = keyof typeof TYPES;

export const audioContentType = (ending: AudioExtension): string => TYPES[ending];

export function isAudioExtension(text: string): text is AudioExtension {
  return Object.hasOwn(TYPES, text);
}

/** @param bytes the beginning of a file. @returns what it is; null for anything that is not one of the known kinds. */
export function audioExtensionOf(bytes: Uint8Array): AudioExtension | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16));
  const has = (text: string, at = 0): boolean => head.toString('latin1', at, at + text.length) === text;
  if (has('RIFF') && has('WAVE', 8)) return 'wav';
  if (has('OggS')) return 'ogg';
  if (has('fLaC')) return 'flac';
  if (has('ftyp', 4)) return 'm4a';
  if (head.length > 4 && head.readUInt32BE(0) === 0x1a45dfa3) return 'webm';
  // A tag, or the 11 bits that begin a frame. Layer 0 is AAC in a form that not every browser plays.
  const isFrame = head.length > 1 && head[0] === 0xff && (head[1]! & 0xe0) === 0xe0 && (head[1]! & 0x06) !== 0;
  return has('ID3') || isFrame ? 'mp3' : null;
}

/** Kinds of recordings that services take besides, by what their files begin with. */
const BEGINNINGS: readonly (readonly [text: string, at: number])[] = [
  ['RF64', 0],
  ['AIFF', 8],
  ['AIFC', 8],
  ['caff', 0],
  ['#!AMR', 0],
  // Of Sun and NeXT.
  ['.snd', 0],
  // QuickTime before it named its kind.
  ['moov', 4],
  ['mdat', 4],
  ['wide', 4],
  // Windows Media.
  ['\x30\x26\xb2\x75', 0],
];
/** AAC without a container. */
const isAdts = (bytes: Uint8Array): boolean => bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0;

/** Bytes of a file's beginning that tell what it is. */
export const TELLING_BYTES = 16;

/** @param bytes the beginning of a file. @returns whether it may be a recording, of sound or of video with sound. */
export function isRecording(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes).toString('latin1');
  return (
    audioExtensionOf(bytes) !== null || isAdts(bytes) || BEGINNINGS.some(([text, at]) => head.startsWith(text, at))
  );
}

/** Other endings of the same kinds of files, of video with sound among them. */
const ALSO_CALLED: Readonly<Record<AudioExtension, RegExp>> = {
  wav: /\.wave?$/i,
  mp3: /\.(mp3|mpga|mpeg)$/i,
  ogg: /\.(ogg|oga|ogv|opus|spx)$/i,
  m4a: /\.(m4a|m4b|mp4|m4v|mov|qt|3gpp?|3g2|f4a)$/i,
  flac: /\.flac$/i,
  webm: /\.(webm|weba|mkv|mka)$/i,
};

/**
 * Name and type of a recording by what it is: services go by both, and people rename files.
 * @param bytes its beginning. Of kinds that are not known here, both stay.
 */
export function namedRightly(bytes: Uint8Array, filename: string, contentType: string) {
  const ending = audioExtensionOf(bytes);
  if (ending === null) return { filename, contentType };
  const isRight = ALSO_CALLED[ending].test(filename);
  return {
    filename: isRight ? filename : `${filename.replace(/\.\w{1,5}$/, '')}.${ending}`,
    contentType: isRight && /^(?:audio|video)\//.test(contentType) ? contentType : audioContentType(ending),
  };
}
