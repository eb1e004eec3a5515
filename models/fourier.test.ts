import { describe, expect, test } from 'vitest';
import { FourierTransform } from './fourier.ts';

/** The definition, term by term. */
function slow(re: Float64Array, im: Float64Array): { re: number; im: number }[] {
  const n = re.length;
  return Array.from({ length: n }, (_, k) => {
    const sum = { re: 0, im: 0 };
    for (let i = 0; i < n; i++) {
      const angle = (-2 * Math.PI * ((i * k) % n)) / n;
      sum.re += (re[i] as number) * Math.cos(angle) - (im[i] as number) * Math.sin(angle);
      sum.im += (re[i] as number) * Math.sin(angle) + (im[i] as number) * Math.cos(angle);
    }
    return sum;
  });
}

describe.each([1, 2, 7, 30, 400, 512])('a Fourier transform of length %i', (length) => {
  const re = Float64Array.from({ length }, (_, i) => Math.sin(i * 1.7) + 0.3);
  const im = Float64Array.from({ length }, (_, i) => Math.cos(i * i));
  const outRe = new Float64Array(length);
  const outIm = new Float64Array(length);
  const transform = new FourierTransform(length);

  test('equals its definition', () => {
    transform.forward(re, im, outRe, outIm);
    slow(re, im).forEach((expected, k) => {
      expect(outRe[k]).toBeCloseTo(expected.re, 8);
      expect(outIm[k]).toBeCloseTo(expected.im, 8);
    });
  });

  test('is undone by its inverse', () => {
    transform.forward(re, im, outRe, outIm);
    const backRe = new Float64Array(length);
    const backIm = new Float64Array(length);
    transform.inverse(outRe, outIm, backRe, backIm);
    for (let i = 0; i < length; i++) {
      expect(backRe[i]).toBeCloseTo(re[i] as number, 10);
      expect(backIm[i]).toBeCloseTo(im[i] as number, 10);
    }
  });
});
