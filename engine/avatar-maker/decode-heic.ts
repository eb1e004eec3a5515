import { createCanvas, ImageData, type Canvas } from '@napi-rs/canvas';
import libheif from 'libheif-js/wasm-bundle.js';

export interface HeicOptions {
  readonly isDisplayP3: boolean;
  /** Pixels of the longer side that are needed. An image of twice as many or more is given smaller. */
  readonly neededSide: number;
}

/**
 * The primary image of a HEIC file, cropped and turned as its properties say. What EXIF data say of its orientation
 * repeats that, and is not followed (ISO/IEC 23008-12). For a process that ends soon: it frees nothing.
 * @returns null when it cannot be decoded.
 */
export function decodeHeic(bytes: Uint8Array, { isDisplayP3, neededSide }: HeicOptions): Canvas | null {
  const context = libheif.heif_context_alloc();
  // What it says of damaged bytes is found again by the next step.
  libheif.heif_context_read_from_memory(context, bytes);
  const image = libheif.heif_js_context_get_primary_image_handle(context);
  if ('code' in image) return null;
  const isTransparent = libheif.heif_image_handle_has_alpha_channel(image) !== 0;
  const { heif_chroma_interleaved_RGB: rgb, heif_chroma_interleaved_RGBA: rgba } = libheif.heif_chroma;
  const decoded = libheif.heif_js_decode_image2(
    image,
    libheif.heif_colorspace.heif_colorspace_RGB,
    isTransparent ? rgba : rgb,
  );
  const pixels = 'code' in decoded ? undefined : decoded.channels[0];
  if (pixels === undefined || pixels.width === 0 || pixels.height === 0) return null;
  const by = Math.max(1, Math.floor(Math.max(pixels.width, pixels.height) / neededSide));
  const width = Math.ceil(pixels.width / by);
  const height = Math.ceil(pixels.height / by);
  const canvas = createCanvas(width, height);
  const shrunk = averages(pixels, isTransparent ? 4 : 3, by);
  const image8 = new ImageData(shrunk, width, height, { colorSpace: isDisplayP3 ? 'display-p3' : 'srgb' });
  canvas.getContext('2d').putImageData(image8, 0, 0);
  return canvas;
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly stride: number;
  readonly data: Uint8Array;
}

/**
 * A canvas of 48 megapixels has 192 MB, and what is needed of it is a twelfth of that.
 * @param channels 3, or 4 with transparency. @returns red, green, blue and alpha of each square of `by` × `by` pixels.
 */
function averages({ width, height, stride, data }: Pixels, channels: number, by: number): Uint8ClampedArray {
  const across = Math.ceil(width / by);
  const found = new Uint8ClampedArray(across * Math.ceil(height / by) * 4).fill(255);
  for (let top = 0, to = 0; top < height; top += by) {
    const bottom = Math.min(top + by, height);
    for (let left = 0; left < width; left += by, to += 4) {
      const right = Math.min(left + by, width);
      const count = (bottom - top) * (right - left);
      for (let channel = 0; channel < channels; channel += 1) {
        let sum = 0;
        for (let y = top; y < bottom; y += 1)
          for (let x = left; x < right; x += 1) sum += data[y * stride + x * channels + channel]!;
        found[to + channel] = sum / count;
      }
    }
  }
  return found;
}
