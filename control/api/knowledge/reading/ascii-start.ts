/**
 * How a text begins, of which the letters of English matter: without the zeros of UTF-16, a byte order mark and blanks.
 * @param maxBytes that are looked at.
 */
export function asciiStart(bytes: Buffer, maxBytes: number): string {
  return bytes
    .toString('latin1', 0, maxBytes)
    .replaceAll('\0', '')
    .replace(/^[\xef\xbb\xbf\xfe\xff\s]+/, '');
}
