/** Frames of these sizes can be made. */
export const VIDEO_SIZES = [
  { width: 720, height: 480 },
  { width: 1152, height: 768 },
  { width: 768, height: 1152 },
  // For rooms.
  { width: 1280, height: 720 },
  { width: 640, height: 360 },
] as const;
