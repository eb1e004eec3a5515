import { NAL, nalType, splitAnnexB } from '../../media/annex-b.ts';
import { MAX_PAYLOAD_BYTES } from './rtp-packet.ts';

const FU_A = 28;
const FU_START = 0x80;
const FU_END = 0x40;
const STAP_A = 24;
/** Access unit delimiters and filler carry nothing over RTP. */
const DROPPED_NAL_TYPES = new Set([9, 12]);
const PARAMETER_SET_TYPES: ReadonlySet<number> = new Set([NAL.sequenceParameters, NAL.pictureParameters]);

/**
 * RTP payloads of one H.264 frame (RFC 6184, packetization mode 1): parameter sets together in one packet,
 * small units alone, large ones in fragments.
 * @param data Annex B.
 */
export function packetizeH264(data: Uint8Array, maxBytes = MAX_PAYLOAD_BYTES): Uint8Array[] {
  const units = splitAnnexB(data).filter((unit) => !DROPPED_NAL_TYPES.has(nalType(unit)));
  const sets = units.filter((unit) => PARAMETER_SET_TYPES.has(nalType(unit)));
  const aggregate = sets.length > 1 && sets.reduce((sum, unit) => sum + 2 + unit.length, 1) <= maxBytes;
  const payloads: Uint8Array[] = aggregate ? [aggregated(sets)] : [];
  for (const unit of units) {
    if (aggregate && sets.includes(unit)) continue;
    if (unit.length <= maxBytes) payloads.push(unit);
    else payloads.push(...fragmented(unit, maxBytes));
  }
  return payloads;
}

function aggregated(units: readonly Uint8Array[]): Uint8Array {
  const importance = Math.max(...units.map((unit) => unit[0]! & 0x60));
  const parts = units.flatMap((unit) => [Uint8Array.of(unit.length >> 8, unit.length & 0xff), unit]);
  return Buffer.concat([Uint8Array.of(importance | STAP_A), ...parts]);
}

function fragmented(unit: Uint8Array, maxBytes: number): Uint8Array[] {
  const header = unit[0]!;
  const room = maxBytes - 2;
  const fragments: Uint8Array[] = [];
  for (let offset = 1; offset < unit.length; offset += room) {
    const part = unit.subarray(offset, offset + room);
    const fragment = new Uint8Array(part.length + 2);
    fragment[0] = (header & 0x60) | FU_A;
    fragment[1] = (offset === 1 ? FU_START : 0) | (offset + room >= unit.length ? FU_END : 0) | (header & 0x1f);
    fragment.set(part, 2);
    fragments.push(fragment);
  }
  return fragments;
}
