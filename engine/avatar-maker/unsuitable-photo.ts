import { ConfinedProcessError } from '../../runtime/confined-process.ts';

/** Why an image cannot become an avatar, in words for whoever uploaded it. */
export const PHOTO_PROBLEMS = {
  'too-many-bytes': 'The image is larger than 4.5 MB. Please upload a smaller one.',
  'wrong-format': 'The image is not a JPEG, PNG, WebP, HEIC or AVIF file.',
  'too-many-pixels': 'The image has more than 50 million pixels. Please upload a smaller one.',
  'too-few-pixels': 'The image is too small. Its shorter side needs at least 256 pixels.',
  unreadable: 'The image is damaged and cannot be read.',
  'too-much-memory':
    'The image needs more memory than an image may. Please upload a smaller one, or one of another format.',
  'too-slow': 'It takes too long to look at the image. Please upload a smaller one, or try again later.',
  'no-face': 'No face was found in the image. Please use a well-lit photo of one person who looks at the camera.',
  'several-faces': 'Several faces were found in the image. Please use a photo of one person alone.',
  'face-too-small':
    'The face is too small in the image. From chin to brows it needs at least 64 pixels; 200 or more look best.',
  'face-cut-off':
    'The face is cut off by the edge of the image. Please use a photo that shows all of it, with some space around.',
  'turned-away': 'The face is turned away. Please use a photo of somebody who looks straight at the camera.',
  'eyes-closed': 'The eyes seem to be closed. Please use a photo with open eyes.',
  'mouth-open': 'The mouth is wide open. Please use a photo with a closed mouth or a light smile.',
} as const;

export type PhotoProblem = keyof typeof PHOTO_PROBLEMS;

/** No avatar can be made of this image. The message helps whoever uploaded it. */
export class UnsuitablePhotoError extends Error {
  override readonly name = 'UnsuitablePhotoError';
  readonly problem: PhotoProblem;
  constructor(problem: PhotoProblem) {
    super(PHOTO_PROBLEMS[problem]);
    this.problem = problem;
  }
}

/** What is wrong with an image whose process did not answer. @returns null when the image is not to blame. */
export function problemOfEnd(error: unknown): PhotoProblem | null {
  if (!(error instanceof ConfinedProcessError) || !error.hadBegun) return null;
  switch (error.end) {
    case 'memory':
      return 'too-much-memory';
    case 'time':
      return 'too-slow';
    case 'crash':
      return 'unreadable';
    case 'stopped':
      return null;
  }
}

export function isPhotoProblem(value: unknown): value is PhotoProblem {
  return typeof value === 'string' && Object.hasOwn(PHOTO_PROBLEMS, value);
}
