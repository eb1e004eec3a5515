import { expect, it } from 'vitest';
import { withStartBitrate } from './start-bitrate.ts';

const AUDIO = 'v=0\r\nm=audio 9 X 111\r\na=rtpmap:111 opus/48000/2\r\n';
const VIDEO = 'm=video 9 X 96 97\r\na=rtpmap:96 VP8/90000\r\na=rtpmap:97 rtx/90000\r\na=fmtp:97 apt=96\r\n';

it('tells each video codec how to begin, and nothing else', () => {
  expect(withStartBitrate(AUDIO + VIDEO)).toBe(`${AUDIO}${VIDEO}a=fmtp:96 x-google-start-bitrate=1200\r\n`);
  expect(withStartBitrate(AUDIO)).toBe(AUDIO);
});
