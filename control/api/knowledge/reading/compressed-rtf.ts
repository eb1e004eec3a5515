/** What the window of compressed rich text begins with (MS-OXRTFCP, 2.1.2.1). */
const WINDOW_START = Buffer.from(
  String.raw`{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor ` +
    String.raw`MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` +
    '\r\n' +
    String.raw`\par \pard\plain\f0\fs20\b\i\u\tab\tx`,
  'latin1',
);
const WINDOW = 4096;
const HEADER = 16;
const [COMPRESSED, AS_IT_IS] = ['LZFu', 'MELA'];

/** Rich text as Outlook stores it. @returns nothing of what is none. */
export function expandedRtf(bytes: Buffer): Buffer {
  const kind = bytes.toString('latin1', 8, 12);
  if (kind === AS_IT_IS) return bytes.subarray(HEADER);
  if (kind !== COMPRESSED) return Buffer.alloc(0);
  const window = Buffer.alloc(WINDOW);
  WINDOW_START.copy(window);
  let place = WINDOW_START.length;
  // A reference has two bytes and stands for 17 at most.
  const written = Buffer.alloc(bytes.length * 9);
  let length = 0;
  const write = (byte: number): void => {
    written[length] = byte;
    length += 1;
    window[place] = byte;
    place = (place + 1) % WINDOW;
  };
  let at = HEADER;
  while (at < bytes.length) {
    const kinds = bytes[at]!;
    at += 1;
    for (let bit = 0; bit < 8 && at < bytes.length; bit += 1) {
      if ((kinds & (1 << bit)) === 0) {
        write(bytes[at]!);
        at += 1;
        continue;
      }
      if (at + 2 > bytes.length) return written.subarray(0, length);
      const reference = bytes.readUInt16BE(at);
      at += 2;
      const from = reference >> 4;
      // Only the end refers to what is not yet written.
      if (from === place) return written.subarray(0, length);
      for (let offset = 0; offset < (reference & 15) + 2; offset += 1) write(window[(from + offset) % WINDOW]!);
    }
  }
  return written.subarray(0, length);
}
