import { i420Bytes, type Rect } from '../../face/rendering/i420.ts';
import { PART_ATLASES, patchBytes, type FacePart, type PreparedAvatar } from '../../face/rendering/prepared-avatar.ts';

const WIDTH = 160;
const HEIGHT = 96;

/** An avatar that is prepared in no time: a gray frame whose mouth is brighter the further it is open. */
export function tinyAvatar(): PreparedAvatar {
  const part = (name: FacePart, rect: Rect) => {
    const { states } = PART_ATLASES[name];
    const size = patchBytes(rect);
    const patches = new Uint8Array(size * states.length).fill(128);
    if (name === 'mouth')
      states.forEach((state, i) =>
        patches.fill(16 + 220 * state.mouthOpen, i * size, i * size + rect.width * rect.height),
      );
    return { rect, patches, drawn: new Uint8Array(states.length).fill(1) };
  };
  return {
    width: WIDTH,
    height: HEIGHT,
    base: new Uint8Array(i420Bytes(WIDTH, HEIGHT)).fill(128),
    anatomy: {
      faceX: 80,
      faceY: 48,
      faceHalfWidth: 24,
      faceHalfHeight: 32,
      mouthY: 64,
      chinY: 80,
      headHalfWidth: 30,
      headTop: 12,
      neckY: 86,
      shouldersY: 92,
      shoulderHalfWidth: 60,
    },
    parts: {
      brows: part('brows', { x: 64, y: 28, width: 32, height: 6 }),
      eyes: part('eyes', { x: 64, y: 36, width: 32, height: 8 }),
      mouth: part('mouth', { x: 64, y: 56, width: 32, height: 16 }),
    },
  };
}
