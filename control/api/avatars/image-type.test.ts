import { expect, it } from 'vitest';
import { wrongImage } from './image-type.ts';

/** "must be a JPEG, PNG or WebP image" was said of photos that every phone shows. */
it.each([
  ['\0\0\0\u0018ftypheic', 'this is a damaged HEIC file'],
  ['\0\0\0\u0018ftypmif1', 'this is HEIF of another kind'],
  ['\0\0\0\u0018ftypmsf1', 'this is a sequence without a still image'],
  ['\0\0\0\u001cftypavif', 'this is a damaged AVIF file'],
  ['\0\0\0\u0020ftypisom', 'this is a video'],
  ['GIF89a', 'this is GIF'],
  ['MM\0*', 'this is TIFF'],
  ['%PDF-1.7', 'this is PDF'],
  ['\n<!DOCTYPE html><title>Shared photo', 'this is a web page'],
  ['<?xml version="1.0"?><svg', 'this is SVG'],
])('an image of another kind is named: %j', (begin, name) => {
  expect(wrongImage(Buffer.from(begin, 'latin1'))).toBe(`must be a JPEG, PNG, WebP, HEIC or AVIF image; ${name}`);
});

it('and of what nobody knows nothing more is said', () => {
  expect(wrongImage(Buffer.from('hello'))).toBe('must be a JPEG, PNG, WebP, HEIC or AVIF image');
});
