import { DISCLOSURE_TEXT } from '../../engine/face/disclosure-text.ts';

/** As the persona's own pictures, so that the meeting sees no change of size. */
const WIDTH = 720;
const HEIGHT = 480;

/** What the others see of the persona until its session starts: its name, and that it is an AI. */
export function drawWaitingPicture(displayName: string): OffscreenCanvas {
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext('2d')!;
  const shade = context.createLinearGradient(0, 0, 0, HEIGHT);
  shade.addColorStop(0, '#2b3346');
  shade.addColorStop(1, '#171c28');
  context.fillStyle = shade;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = '#ffffff';
  context.font = '600 44px sans-serif';
  context.fillText(displayName, WIDTH / 2, HEIGHT / 2, WIDTH - 80);
  context.fillStyle = 'rgba(255, 255, 255, 0.72)';
  context.font = '20px sans-serif';
  context.fillText(DISCLOSURE_TEXT, WIDTH / 2, HEIGHT / 2 + 48);
  return canvas;
}
