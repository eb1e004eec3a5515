import { describe, expect, it } from 'vitest';
import { OpusDecoder, opusPacketSamples } from '../../audio-in/decode/opus-decoder.ts';
import { OpusEncoder } from './opus-encoder.ts';
import { silencePacket } from './silence-packet.ts';

function tone(frame: number): Int16Array {
  return Int16Array.from({ length: 960 }, (_, k) => 8_000 * Math.sin((2 * Math.PI * 440 * (frame * 960 + k)) / 48_000));
}

describe('opus', () => {
  it.each(['plain', 'protected'] as const)(
    'makes 20 ms packets that decode to the sound, at 32 to 48 kbit/s: %s',
    (fec) => {
      const encoder = new OpusEncoder(fec);
      const decoder = new OpusDecoder();
      let bytes = 0;
      let power = 0;
      const started = process.cpuUsage();
      for (let frame = 0; frame < 100; frame += 1) {
        const packet = encoder.encode(tone(frame));
        bytes += packet.length;
        expect(opusPacketSamples(packet)).toBe(960);
        const heard = decoder.decode(packet)!;
        if (frame >= 50) power += heard.reduce((sum, sample) => sum + sample * sample, 0) / 960 / 50;
      }
      const { user, system } = process.cpuUsage(started);
      console.log(
        `Opus encode and decode: ${((user + system) / 100_000).toFixed(2)} ms of CPU per 20 ms, ${bytes * 4} bit/s`,
      );
      expect(Math.sqrt(power)).toBeGreaterThan(5_000);
      expect(Math.sqrt(power)).toBeLessThan(6_300);
      expect(bytes * 4).toBeLessThan(48_000);
      encoder.close();
      decoder.close();
    },
  );

  it('keeps a packet of silence that is silent', () => {
    const decoder = new OpusDecoder();
    for (let k = 0; k < 5; k += 1) expect(Math.max(...decoder.decode(silencePacket())!)).toBeLessThanOrEqual(2);
    expect(silencePacket()).toBe(silencePacket());
    decoder.close();
  });

  it('refuses to encode after it was closed', () => {
    const encoder = new OpusEncoder();
    encoder.close();
    encoder.close();
    expect(() => encoder.encode(tone(0))).toThrow('closed');
  });
});
