/**
 * What nobody can avoid for a session, in CPU time: encoding of a talking face's changed frames, Opus both ways, the
 * VAD's model, encryption of the packets. `bench/video-sessions` measures it in the same run, on the same core, and
 * prints how many times that a whole session costs.
 *
 *   node bench/cost-floor.ts [--size 720x480] [--codec h264] [--json]
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { VIDEO_CODECS } from '../engine/face/encode/video-encoder.ts';
import { VIDEO_SIZES } from '../engine/face/index.ts';
import { costFloorOf, measureCostFloor } from './lib/cost-floor.ts';
import { stealTimeLine, watchStealTime } from './lib/steal-time.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: {
    size: { type: 'string', default: '' },
    codec: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
const host = watchStealTime();
const measured = [];
for (const { width, height } of VIDEO_SIZES) {
  const size = `${width}x${height}`;
  if (args.size !== '' && args.size !== size) continue;
  for (const codec of VIDEO_CODECS) {
    if (args.codec !== '' && args.codec !== codec) continue;
    measured.push({ size, codec, floor: await measureCostFloor(codec, width, height) });
  }
}
if (args.json) console.log(JSON.stringify(measured));
else {
  printTable(
    ['ms for each second of a session', 'video', 'Opus out', 'Opus in', 'VAD', 'SRTP', 'speaking', 'idle'],
    measured.map(({ size, codec, floor }) => [
      `${size} ${codec}`,
      floor.encodeVideo,
      floor.encodeAudio,
      floor.decodeAudio,
      floor.vad,
      floor.srtp.speaking,
      costFloorOf(floor, 'speaking'),
      costFloorOf(floor, 'idle'),
    ]),
  );
  console.log(`CPU time. Load average ${loadavg()[0]!.toFixed(1)}. ${stealTimeLine(host.stop())}`);
}
process.exit(0);
