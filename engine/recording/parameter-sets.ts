import { NAL, START_CODE, nalType, splitAnnexB } from '../media/annex-b.ts';

const WANTED: readonly number[] = [NAL.sequenceParameters, NAL.pictureParameters];

/**
 * @param frame a keyframe in Annex B form. @returns its sequence and frame parameter sets in the same form, as a
 * container needs them to describe the stream.
 */
export function parameterSets(frame: Uint8Array): Buffer {
  const units = splitAnnexB(frame).filter((unit) => WANTED.includes(nalType(unit)));
  return Buffer.concat(units.flatMap((unit) => [START_CODE, unit]));
}
