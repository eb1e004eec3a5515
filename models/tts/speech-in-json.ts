/** Where services put sound into JSON, or into events of it: text in base 64, or in hexadecimal digits. */
const FIELDS =
  /"(?:audio|audio_?content|audios|audio_?base64|audio_?data|b64_json|delta)"\s*:\s*\[?\s*"(?:data:audio\/[\w.+-]+;base64,)?([A-Za-z0-9+/_=-]{64,})"/gi;
/** Its events have the sound piece by piece; a last one may have all of it once more. */
const WHOLE = /"type"\s*:\s*"[\w.]*(?:done|completed|complete)"/i;

/** @param text of an answer: JSON, or server-sent events of it. @returns the sound; null where there is none. */
export function speechInJson(text: string): Buffer | null {
  const lines = text.includes('data:') ? text.split('\n').filter((line) => line.startsWith('data:')) : [text];
  const pieces = lines
    .filter((line, at) => at === 0 || !WHOLE.test(line))
    .flatMap((line) => [...line.matchAll(FIELDS)].slice(0, 1).map(([, encoded = '']) => decoded(encoded)));
  const sound = Buffer.concat(pieces);
  return sound.length === 0 ? null : sound;
}

function decoded(text: string): Buffer {
  const isHex = text.length % 2 === 0 && /^[\da-f]+$/i.test(text);
  return Buffer.from(text, isHex ? 'hex' : /[-_]/.test(text) ? 'base64url' : 'base64');
}
