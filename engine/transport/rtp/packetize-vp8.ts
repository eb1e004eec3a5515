import { MAX_PAYLOAD_BYTES } from './rtp-packet.ts';

const EXTENDED = 0x80;
const START_OF_PARTITION = 0x10;
const HAS_PICTURE_ID = 0x80;
const LONG_PICTURE_ID = 0x80;
const DESCRIPTOR_BYTES = 4;

/** Frame ids have 15 bits. */
export const PICTURE_ID_MASK = 0x7fff;

/** RTP payloads of one VP8 frame (RFC 7741), each with the frame's picture ID. */
export function packetizeVp8(frame: Uint8Array, pictureId: number, maxBytes = MAX_PAYLOAD_BYTES): Uint8Array[] {
  const room = maxBytes - DESCRIPTOR_BYTES;
  const payloads: Uint8Array[] = [];
  for (let offset = 0; offset < frame.length; offset += room) {
    const part = frame.subarray(offset, offset + room);
    const payload = new Uint8Array(part.length + DESCRIPTOR_BYTES);
    payload[0] = EXTENDED | (offset === 0 ? START_OF_PARTITION : 0);
    payload[1] = HAS_PICTURE_ID;
    payload[2] = LONG_PICTURE_ID | ((pictureId >> 8) & 0x7f);
    payload[3] = pictureId & 0xff;
    payload.set(part, DESCRIPTOR_BYTES);
    payloads.push(payload);
  }
  return payloads;
}
