import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentAudioStream, type AgentSpeech } from './agent-audio-stream.ts';

const opened = (streamId: string, attributes: Record<string, string> = { sample_rate: '24000', num_channels: '1' }) =>
  ({ type: 'stream opened', streamId, topic: 'lk.audio_stream', attributes }) as const;
const chunk = (streamId: string, index: number, content: Uint8Array) =>
  ({ type: 'stream chunk', streamId, index, content }) as const;
const closed = (streamId: string) => ({ type: 'stream closed', streamId }) as const;

const samplesOf = (speech: readonly AgentSpeech[]): number[] =>
  speech.flatMap((part) => (part.type === 'audio' ? [...part.pcm] : []));
const typesOf = (speech: readonly AgentSpeech[]): string[] => speech.map(({ type }) => type);

describe('the sound stream of an agent', () => {
  it('gives the samples that were sent, wherever the stream is cut', () => {
    const samples = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 200 });
    fc.assert(
      fc.property(samples, fc.array(fc.nat({ max: 400 }), { maxLength: 20 }), (sent, cuts) => {
        const bytes = new Uint8Array(Int16Array.from(sent).buffer);
        const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const stream = new AgentAudioStream();
        const heard = [
          ...stream.take(opened('s')),
          ...edges.slice(1).flatMap((edge, index) => stream.take(chunk('s', index, bytes.slice(edges[index], edge)))),
          ...stream.take(closed('s')),
        ];
        expect(samplesOf(heard)).toEqual(sent);
        expect([heard[0]?.type, heard.at(-1)?.type]).toEqual(['begin', 'end']);
      }),
    );
  });

  it('mixes two channels, also where a pair is cut in two', () => {
    const stream = new AgentAudioStream();
    stream.take(opened('s', { sample_rate: '48000', num_channels: '2' }));
    const bytes = new Uint8Array(Int16Array.of(100, 200, -100, -300).buffer);
    const heard = [...stream.take(chunk('s', 0, bytes.slice(0, 3))), ...stream.take(chunk('s', 1, bytes.slice(3)))];
    expect(samplesOf(heard)).toEqual([150, -200]);
  });

  it('keeps what it needs of a message whose memory is used again', () => {
    const stream = new AgentAudioStream();
    stream.take(opened('s'));
    const bytes = Uint8Array.of(1, 0, 2);
    stream.take(chunk('s', 0, bytes));
    bytes.fill(9);
    expect(samplesOf(stream.take(chunk('s', 1, Uint8Array.of(0))))).toEqual([2]);
  });

  it('drops chunks that come twice, and those of other streams', () => {
    const stream = new AgentAudioStream();
    stream.take(opened('s'));
    const one = Uint8Array.of(1, 0);
    expect(samplesOf(stream.take(chunk('s', 0, one)))).toEqual([1]);
    expect(stream.take(chunk('s', 0, one))).toEqual([]);
    expect(stream.take(chunk('other', 1, one))).toEqual([]);
    expect(stream.take(closed('other'))).toEqual([]);
    expect(stream.take({ ...opened('t'), topic: 'lk.transcription' })).toEqual([]);
    expect(stream.take(opened('s'))).toEqual([]);
    expect(stream.isOpen).toBe(true);
  });

  it('ends a stream when the next one begins', () => {
    const stream = new AgentAudioStream();
    expect(typesOf([...stream.take(opened('a')), ...stream.take(opened('b'))])).toEqual(['begin', 'end', 'begin']);
    expect(stream.take(closed('a'))).toEqual([]);
  });

  it.each([
    ['more than two channels', { sample_rate: '48000', num_channels: '6' }],
    ['no sample rate', { num_channels: '1' }],
    ['a sample rate that is no number', { sample_rate: 'fast', num_channels: '1' }],
  ])('says once of a segment that it cannot be spoken: %s', (_what, attributes) => {
    const stream = new AgentAudioStream();
    stream.take(opened('s', attributes));
    const bytes = new Uint8Array(12);
    expect(typesOf([...stream.take(chunk('s', 0, bytes)), ...stream.take(chunk('s', 1, bytes))])).toEqual(['unusable']);
    expect(typesOf(stream.take(closed('s')))).toEqual(['end']);
  });
});
