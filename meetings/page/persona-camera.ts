import { PersonaDevice } from './persona-device.ts';
import { drawWaitingPicture } from './waiting-picture.ts';

/** ms between two pictures before the session starts: they do not move, but a new participant needs one soon. */
const EVERY_MS = 200;

/** Shows the persona's name until the session starts, then its face. */
export function personaCamera(displayName: string): PersonaDevice<VideoFrame> {
  const picture = drawWaitingPicture(displayName);
  return new PersonaDevice('video', EVERY_MS, () => new VideoFrame(picture, { timestamp: performance.now() * 1000 }));
}
