/**
 * Moves a frame plane by a smooth displacement field: the inner loop of head motion, breathing and the jaw.
 * Built by scripts/build-warp.ts into warp.wasm; warp.ts is the typed face of it and documents the units.
 *
 * Eight neighboring pixels share one displacement. The fields are so smooth (at most about 0.03 pixels per pixel) that
 * the step between neighbors stays below a quarter of a pixel, and sharing makes it eight pixels per SIMD step.
 */

// @ts-ignore: decorator
@inline
function clamp(value: i32, high: i32): i32 {
  return value < 0 ? 0 : value > high ? high : value;
}

/**
 * @param cellShift rows per field cell as a power of two: 3 for luma, 2 for chroma planes.
 * @param chroma 1: the plane has half the resolution of the field.
 */
export function warpPlane(
  src: usize, dst: usize, stride: i32, height: i32,
  x0: i32, y0: i32, x1: i32, y1: i32,
  field: usize, nodesPerRow: i32, chroma: i32,
): void {
  const cellShift = 3 - chroma;
  const rowMask = (1 << cellShift) - 1;
  const maxX = stride - 8;
  const maxY = height - 1;
  for (let y = y0; y < y1; y++) {
    const below: i32 = (y & rowMask) << chroma;
    const above: i32 = 8 - below;
    const nodeA: usize = field + <usize>((y >> cellShift) * nodesPerRow * 4);
    const nodeB: usize = nodeA + <usize>(nodesPerRow * 4);
    for (let x = x0; x < x1; x += 8) {
      let dx: i32;
      let dy: i32;
      if (chroma) {
        const n: usize = <usize>(((x >> 3) * 2 + 1) * 4);
        dx = <i32>load<i16>(nodeA + n) * above + <i32>load<i16>(nodeB + n) * below;
        dy = <i32>load<i16>(nodeA + n, 2) * above + <i32>load<i16>(nodeB + n, 2) * below;
      } else {
        const n: usize = <usize>((x >> 3) * 4);
        dx = (<i32>load<i16>(nodeA + n) + <i32>load<i16>(nodeA + n, 4)) * above + (<i32>load<i16>(nodeB + n) + <i32>load<i16>(nodeB + n, 4)) * below;
        dy = (<i32>load<i16>(nodeA + n, 2) + <i32>load<i16>(nodeA + n, 6)) * above + (<i32>load<i16>(nodeB + n, 2) + <i32>load<i16>(nodeB + n, 6)) * below;
      }
      dx = (dx + 32) >> 6;
      dy = (dy + 32) >> 6;
      const target: usize = dst + <usize>(y * stride + x);
      const sx = clamp(x + (dx >> 4), maxX);
      const sy = clamp(y + (dy >> 4), maxY);
      // Nothing lies beyond the last pixel of a row to mix with.
      const fx = sx == maxX ? 0 : dx & 15;
      const fy = dy & 15;
      const from: usize = src + <usize>(sy * stride + sx);
      if ((fx | fy) == 0) {
        store<u64>(target, load<u64>(from));
        continue;
      }
      const down: usize = sy < maxY ? <usize>stride : 0;
      const a = v128.load_ext<u8>(from);
      const b = v128.load_ext<u8>(from + 1);
      const c = v128.load_ext<u8>(from + down);
      const d = v128.load_ext<u8>(from + down + 1);
      let sum = i16x8.add(
        i16x8.mul(a, i16x8.splat(<i16>((16 - fx) * (16 - fy)))),
        i16x8.mul(b, i16x8.splat(<i16>(fx * (16 - fy)))),
      );
      sum = i16x8.add(sum, i16x8.mul(c, i16x8.splat(<i16>((16 - fx) * fy))));
      sum = i16x8.add(sum, i16x8.mul(d, i16x8.splat(<i16>(fx * fy))));
      sum = i16x8.shr_u(i16x8.add(sum, i16x8.splat(128)), 8);
      store<u64>(target, v128.extract_lane<u64>(i8x16.narrow_i16x8_u(sum, sum), 0));
    }
  }
}
