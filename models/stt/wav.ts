const HEADER_BYTES = 44;

/** @param pieces 16-bit mono PCM, one after the other. @returns a WAV file. */
export function wavFile(pieces: readonly Int16Array[], sampleRate: number): Buffer<ArrayBuffer> {
  const dataBytes = pieces.reduce((sum, piece) => sum + piece.length * 2, 0);
  const file = Buffer.alloc(HEADER_BYTES + dataBytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20); // PCM
  file.writeUInt16LE(1, 22); // channels
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(dataBytes, 40);
  let at = HEADER_BYTES;
  for (const piece of pieces) {
    Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).copy(file, at);
    at += piece.byteLength;
  }
  return file;
}
