const SEQUENCE_PARAMETERS = 7;
const PICTURE_PARAMETERS = 8;

/**
 * @param frame a keyframe in Annex B form. @returns its sequence and frame parameter sets in the same form, as a
 * container needs them to describe the stream.
 */
export function parameterSets(frame: Uint8Array): Buffer {
  const starts: number[] = [];
  for (let i = 0; i + 3 < frame.length; i++) {
    if (frame[i] === 0 && frame[i + 1] === 0 && frame[i + 2] === 1) starts.push(i + 3);
  }
  const units = starts.map((start, i) =>
    frame.subarray(start, i + 1 < starts.length ? withoutZeros(frame, start, (starts[i + 1] ?? 0) - 3) : frame.length),
  );
  const wanted = units.filter((unit) => [SEQUENCE_PARAMETERS, PICTURE_PARAMETERS].includes((unit[0] ?? 0) & 0x1f));
  return Buffer.concat(wanted.flatMap((unit) => [Buffer.from([0, 0, 0, 1]), unit]));
}

/** The zeros before a start code belong to it and not to the previous unit. */
function withoutZeros(frame: Uint8Array, start: number, end: number): number {
  let last = end;
  while (last > start && frame[last - 1] === 0) last -= 1;
  return last;
}
