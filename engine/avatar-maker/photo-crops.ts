import { readImageHeader } from './image-header.ts';

/** The still images that are kept of a photo avatar. */
export const CROP_FILES = {
  classic: { file: 'classic.jpg', width: 720, height: 480 },
  landscape: { file: 'landscape.jpg', width: 1152, height: 768 },
  portrait: { file: 'portrait.jpg', width: 768, height: 1152 },
} as const;

/** The upright photo for browsers, only of an upload that most of them do not show. */
export const SHOWN_FILE = 'shown.jpg';

/** Of the browsers, only Safari shows HEIC. */
export const isShown = (upload: Uint8Array): boolean => readImageHeader(upload)?.format !== 'heic';
