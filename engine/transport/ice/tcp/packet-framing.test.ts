import { expect, it } from 'vitest';
import { framed, FrameReader, MAX_PACKET_BYTES } from './packet-framing.ts';

const texts = (packets: readonly Buffer[] | null): string[] | undefined => packets?.map(String);

it('finds packets wherever the network has cut the stream', () => {
  const stream = Buffer.concat(['one', 'two', 'three'].map((text) => framed(Buffer.from(text))));
  for (let cut = 0; cut <= stream.length; cut++) {
    const reader = new FrameReader();
    const found = [reader.read(stream.subarray(0, cut)), reader.read(stream.subarray(cut))];
    expect(found.flatMap((packets) => texts(packets) ?? [])).toEqual(['one', 'two', 'three']);
  }
});

it('finds packets that arrive byte by byte', () => {
  const reader = new FrameReader();
  const found = [...framed(Buffer.from('slow'))].flatMap((byte) => reader.read(Buffer.from([byte])) ?? []);
  expect(texts(found)).toEqual(['slow']);
});

it('passes over empty frames', () => {
  expect(texts(new FrameReader().read(Buffer.concat([Buffer.alloc(6), framed(Buffer.from('after'))])))).toEqual([
    'after',
  ]);
});

it('takes the longest packet and refuses a longer frame before its bytes come', () => {
  const reader = new FrameReader();
  expect(reader.read(framed(Buffer.alloc(MAX_PACKET_BYTES)))).toHaveLength(1);
  const header = Buffer.alloc(2);
  header.writeUInt16BE(MAX_PACKET_BYTES + 1, 0);
  expect(reader.read(header)).toBeNull();
});

it.each(['GET / HTTP/1.1\r\n', '\x16\x03\x01\x02\x00\x01'])('does not read another protocol as frames: %j', (text) => {
  expect(new FrameReader().read(Buffer.from(text, 'latin1'))).toBeNull();
});
