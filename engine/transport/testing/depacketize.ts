/** What a receiver makes of the payloads of H.264 (RFC 6184). @returns NAL units without start codes. */
export function depacketizeH264(payloads: readonly Uint8Array[]): Buffer[] {
  const units: Buffer[] = [];
  let parts: Buffer[] = [];
  for (const payload of payloads.map((one) => Buffer.from(one))) {
    const type = payload[0]! & 0x1f;
    if (type === 24) {
      for (let at = 1; at < payload.length; at += 2 + payload.readUInt16BE(at))
        units.push(payload.subarray(at + 2, at + 2 + payload.readUInt16BE(at)));
    } else if (type === 28) {
      if (payload[1]! & 0x80) parts = [Buffer.from([(payload[0]! & 0xe0) | (payload[1]! & 0x1f)])];
      parts.push(payload.subarray(2));
      if (payload[1]! & 0x40) units.push(Buffer.concat(parts));
    } else units.push(payload);
  }
  return units;
}

/** Length of the descriptor that this service writes (RFC 7741): with a long picture ID. */
const VP8_DESCRIPTOR_BYTES = 4;

/** The same of one VP8 frame. @returns the video. */
export function depacketizeVp8(payloads: readonly Uint8Array[]): Buffer {
  return Buffer.concat(payloads.map((payload) => payload.subarray(VP8_DESCRIPTOR_BYTES)));
}
