/** The still images that are kept of a photo avatar. */
export const CROP_FILES = {
  classic: { file: 'classic.jpg', width: 720, height: 480 },
  landscape: { file: 'landscape.jpg', width: 1152, height: 768 },
  portrait: { file: 'portrait.jpg', width: 768, height: 1152 },
} as const;

/**
 * The upright photo for browsers. The upload is given to nobody: only Safari shows HEIC, and what a phone writes beside
 * the pixels (the place, the time, the camera) is nobody's business.
 */
export const SHOWN_FILE = 'shown.jpg';
