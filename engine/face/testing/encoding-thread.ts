import { parentPort } from 'node:worker_threads';
import { createVideoEncoder } from '../encode/av-encoder.ts';

/** A thread that encodes frames without a pause, each of them new. */
const encoder = createVideoEncoder({ codec: 'h264', width: 32, height: 32, bitsPerSecond: 1e6, effort: 'live' });
const [luma] = encoder.frame.planes;
// Once this module is loaded: a thread that loads is not ended.
setImmediate(() => {
  for (let made = 0; ; made += 1) {
    luma.fill(made % 256);
    encoder.encode(false);
    if (made === 0) parentPort?.postMessage('encoding');
  }
});
