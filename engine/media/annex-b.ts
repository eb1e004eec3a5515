/** Types of the units of H.264 (Rec. ITU-T H.264, table 7-1). */
export const NAL = { sequenceParameters: 7, pictureParameters: 8 } as const;

/** What each unit of a stream begins with. */
export const START_CODE = Buffer.from([0, 0, 0, 1]);

/** @param unit without its start code. */
export function nalType(unit: Uint8Array): number {
  return (unit[0] ?? 0) & 0x1f;
}

/** @returns the NAL units of an Annex B stream, without start codes, sharing its memory. */
export function splitAnnexB(data: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = [];
  let start = -1;
  const finish = (end: number): void => {
    if (start < 0) return;
    // Zeros before the next start code belong to it, not to the unit.
    while (end > start && data[end - 1] === 0) end -= 1;
    if (end > start) units.push(data.subarray(start, end));
  };
  let i = 0;
  while (i + 2 < data.length) {
    if (data[i + 2]! > 1) i += 3;
    else if (data[i] === 0 && data[i + 1] === 0 && data[i + 2] === 1) {
      finish(i);
      start = i + 3;
      i += 3;
    } else i += 1;
  }
  finish(data.length);
  return units;
}
