/**
 * Which numbered packets arrived, and when on the receiver's clock
 * (draft-holmer-rmcat-transport-wide-cc-extensions-01).
 */
export interface TransportFeedback {
  /** In the order of the transport-wide numbers. `receivedAt` in ms on the receiver's clock, null: not received. */
  readonly packets: readonly { readonly sequence: number; readonly receivedAt: number | null }[];
}

const REFERENCE_UNIT_MS = 64;
const DELTA_UNIT_MS = 0.25;
/** The reference time has 24 bits: it wraps after 12 days. */
const SMALL_DELTA = 1;
const LARGE_DELTA = 2;

/** @returns null when the packet is cut short. */
export function parseTransportFeedback(packet: Buffer): TransportFeedback | null {
  if (packet.length < 20) return null;
  const base = packet.readUInt16BE(12);
  const count = packet.readUInt16BE(14);
  let time = packet.readIntBE(16, 3) * REFERENCE_UNIT_MS;
  let offset = 20;
  const statuses: number[] = [];
  while (statuses.length < count) {
    if (offset + 2 > packet.length) return null;
    const chunk = packet.readUInt16BE(offset);
    offset += 2;
    readChunk(chunk, count - statuses.length, statuses);
  }
  const packets: { sequence: number; receivedAt: number | null }[] = [];
  for (const [index, status] of statuses.entries()) {
    const sequence = (base + index) & 0xffff;
    if (status === SMALL_DELTA) {
      if (offset + 1 > packet.length) return null;
      time += packet[offset]! * DELTA_UNIT_MS;
      offset += 1;
    } else if (status === LARGE_DELTA) {
      if (offset + 2 > packet.length) return null;
      time += packet.readInt16BE(offset) * DELTA_UNIT_MS;
      offset += 2;
    }
    packets.push({ sequence, receivedAt: status === SMALL_DELTA || status === LARGE_DELTA ? time : null });
  }
  return { packets };
}

/** A chunk is a run of one status, or a vector of seven 2-bit or fourteen 1-bit statuses. */
function readChunk(chunk: number, wanted: number, statuses: number[]): void {
  if ((chunk & 0x8000) === 0) {
    const run = Math.min(chunk & 0x1fff, wanted);
    for (let i = 0; i < run; i++) statuses.push((chunk >> 13) & 3);
    return;
  }
  const width = chunk & 0x4000 ? 2 : 1;
  const symbols = Math.min(14 / width, wanted);
  for (let i = 0; i < symbols; i++) statuses.push((chunk >> (14 - width * (i + 1))) & (width === 2 ? 3 : 1));
}
