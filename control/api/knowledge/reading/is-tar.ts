/** Where the header of the first file has its checksum, as octal digits. */
const [CHECKSUM_FROM, CHECKSUM_TO, HEADER] = [148, 156, 512];

/** By the checksum of its first header: archives of the oldest programs say nothing else. */
export function isTar(bytes: Buffer): boolean {
  if (bytes.length < HEADER || bytes[0] === 0) return false;
  const said = /^[ 0]*([0-7]+)[ \0]/.exec(bytes.toString('latin1', CHECKSUM_FROM, CHECKSUM_TO))?.[1];
  if (said === undefined) return false;
  let sum = 0;
  for (let at = 0; at < HEADER; at += 1) sum += at >= CHECKSUM_FROM && at < CHECKSUM_TO ? 0x20 : bytes[at]!;
  return sum === Number.parseInt(said, 8);
}
