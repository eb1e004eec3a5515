import { LANDMARK_COUNT, type Landmarks } from './landmarks.ts';

/** What is kept of an uploaded photo besides its pixels. */
export interface PhotoFace {
  readonly version: typeof PHOTO_FACE_VERSION;
  /** Size of the kept image, upright. */
  readonly width: number;
  readonly height: number;
  /** In pixels of that image. */
  readonly landmarks: Landmarks;
}

export const PHOTO_FACE_VERSION = 1;

/** Files in the folder of one photo avatar. */
export const PHOTO_FILES = { upload: 'upload', photo: 'photo.png', face: 'face.json', prepared: 'prepared' } as const;

/** Beginning of the names of folders that are not whole yet. */
export const UNFINISHED = '.making-';

/** Engine keys of photo avatars. They are folder names too, so nothing else may match. */
const PHOTO_KEY = /^photo-[0-9A-Za-z][0-9A-Za-z-]{0,63}$/;

export function isPhotoKey(engineKey: string): boolean {
  return PHOTO_KEY.test(engineKey);
}

/** @throws RangeError when the text is not a face of this version. */
export function parsePhotoFace(text: string): PhotoFace {
  const face = JSON.parse(text) as PhotoFace;
  const whole =
    face.version === PHOTO_FACE_VERSION &&
    face.width > 0 &&
    face.height > 0 &&
    Array.isArray(face.landmarks) &&
    face.landmarks.length === LANDMARK_COUNT &&
    face.landmarks.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  if (!whole) throw new RangeError('The photo avatar was made by another version.');
  return face;
}
