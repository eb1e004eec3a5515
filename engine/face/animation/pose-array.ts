import { FACE_PARAMETERS } from './face-state.ts';
import type { FaceParameter, FaceState } from './face-state.ts';

/** Face states as plain numbers, for memory that threads share. */
export function packPoses(poses: readonly FaceState[]): Float32Array {
  return Float32Array.from(poses.flatMap((pose) => FACE_PARAMETERS.map((parameter) => pose[parameter])));
}

export function poseAt(packed: Float32Array, index: number): FaceState {
  const pose = {} as Record<FaceParameter, number>;
  FACE_PARAMETERS.forEach((parameter, i) => {
    pose[parameter] = packed[index * FACE_PARAMETERS.length + i] ?? 0;
  });
  return pose;
}
