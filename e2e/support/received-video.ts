import { createCanvas, loadImage } from '@napi-rs/canvas';
import { decodeStream } from '../../engine/face/testing/decode-stream.ts';
import { depacketizeH264 } from '../../engine/transport/testing/depacketize.ts';
import type { ReceivedPacket } from '../../engine/transport/testing/loopback-client.ts';
import { correlation } from './correlation.ts';

const WIDTH = 720;
const HEIGHT = 480;
const START_CODE = Buffer.from([0, 0, 0, 1]);
/** Type of the NAL unit with which a stream begins (SPS). */
const FIRST_UNIT = 7;

/** The video that a client without a browser receives (H.264, 720×480). */
export class ReceivedVideo {
  #payloads: Buffer[] = [];
  #frames: Buffer[] = [];

  readonly onVideo = ({ payload, marker }: ReceivedPacket): void => {
    // A padding packet, which probes the network.
    if (payload.length > 0) this.#payloads.push(Buffer.from(payload));
    if (!marker) return;
    const units = depacketizeH264(this.#payloads);
    this.#payloads = [];
    if (units.some((unit) => (unit[0]! & 0x1f) === FIRST_UNIT)) this.#frames = [];
    this.#frames.push(Buffer.concat(units.flatMap((unit) => [START_CODE, unit])));
  };

  /** What came until now does not count. */
  forget(): void {
    this.#payloads = [];
    this.#frames = [];
  }

  /** @param luma of a picture. @returns how much the last frame is like it, -1 … 1. */
  likeness(luma: ArrayLike<number>): number {
    const seen = new Uint8Array(WIDTH * HEIGHT);
    const { decodedFrames } = decodeStream('h264', this.#frames, (plane, stride) => {
      for (let y = 0; y < HEIGHT; y += 1) seen.set(plane.subarray(y * stride, y * stride + WIDTH), y * WIDTH);
    });
    return decodedFrames === 0 ? -1 : correlation(luma, seen);
  }
}

/** @returns the luma of an image, in the size of a frame. */
export async function lumaOf(url: string): Promise<Uint8Array> {
  const image = await loadImage(Buffer.from(await (await fetch(url)).arrayBuffer()));
  const context = createCanvas(WIDTH, HEIGHT).getContext('2d');
  context.drawImage(image, 0, 0, WIDTH, HEIGHT);
  const { data } = context.getImageData(0, 0, WIDTH, HEIGHT);
  return Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
    Math.round(0.299 * data[4 * i]! + 0.587 * data[4 * i + 1]! + 0.114 * data[4 * i + 2]!),
  );
}
