import type { Canvas } from '@napi-rs/canvas';

/** Letters of the colors at the four corners, from the top left one on in the order of reading. */
export function cornersOf(photo: Canvas | null): string {
  const { width, height } = photo!;
  const [x, y] = [width - 5, height - 5];
  const corners = [
    [5, 5],
    [x, 5],
    [5, y],
    [x, y],
  ] as const;
  return corners
    .map(([left, top]) => {
      const [red, green, blue] = photo!.getContext('2d').getImageData(left, top, 1, 1).data;
      return `${red! > 128 ? 'r' : ''}${green! > 128 ? 'g' : ''}${blue! > 128 ? 'b' : ''}`;
    })
    .join(' ');
}
