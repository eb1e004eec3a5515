/** Records frames into a file until the process is killed; reports "100" after that many frames. */
import { createVideoEncoder } from '../../face/encode/av-encoder.ts';
import { SessionRecording } from '../session-recording.ts';

const path = process.argv[2] ?? '';
const encoder = createVideoEncoder({ codec: 'h264', width: 320, height: 240, bitsPerSecond: 500_000, effort: 'live' });
const recording = new SessionRecording({ path, width: 320, height: 240 });
let frame = 0;
setInterval(() => {
  encoder.frame.planes[0]?.fill(frame);
  const { data, keyframe } = encoder.encode(frame % 25 === 0);
  recording.frame(data, keyframe, 'h264', 1_790_000_000_000 + frame * 40);
  frame += 1;
  if (frame === 100) console.log(frame);
}, 2);
