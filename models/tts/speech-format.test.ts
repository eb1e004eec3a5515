import { describe, expect, it } from 'vitest';
import { speechFormat } from './speech-format.ts';

const kindOf = (bytes: Buffer, contentType = ''): string => speechFormat(bytes, contentType, 24_000).kind;

/** A frame of AAC of so many bytes, at 24 kHz. */
function aacFrame(length: number): Buffer {
  const frame = Buffer.alloc(length, 0x21);
  frame.set([0xff, 0xf1, 0x58, 0x40 | (length >> 11), (length >> 3) & 0xff, ((length & 7) << 5) | 0x1f, 0xfc]);
  return frame;
}

describe('What a service sends in place of samples was heard as loud noise', () => {
  it('as AAC without a container', () => {
    expect(kindOf(Buffer.concat([aacFrame(180), aacFrame(201)]))).toBe('file');
    // Only its first bytes look like it.
    expect(kindOf(Buffer.concat([aacFrame(180), Buffer.alloc(201)]))).toBe('samples');
  });

  it.each([
    ['a WAV of more than 4 GB, as some programs begin all of them', 'RF64\xff\xff\xff\xffWAVEds64'],
    ['a file of Core Audio', 'caff\0\x01\0\0desc'],
    ['Windows Media', '\x30\x26\xb2\x75\x8e\x66\xcf\x11'],
  ])('as %s', (_, start) => {
    expect(kindOf(Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(64)]), 'audio/mpeg')).toBe('file');
  });
});
