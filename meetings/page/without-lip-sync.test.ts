import { expect, it } from 'vitest';
import { withoutLipSync } from './without-lip-sync.ts';

it('the tracks of a session have no stream in common, and all else stays', () => {
  const sdp = ['v=0', 'a=msid-semantic: WMS s', 'm=audio 9', 'a=msid:s a', 'a=ssrc:1 cname:c', 'a=ssrc:1 msid:s a', ''];
  expect(withoutLipSync(sdp.join('\r\n'))).toBe(
    ['v=0', 'a=msid-semantic: WMS s', 'm=audio 9', 'a=ssrc:1 cname:c', ''].join('\r\n'),
  );
});
