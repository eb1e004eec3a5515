import { describe, expect, it } from 'vitest';
import { AudioMixer } from './audio-mixer.ts';

function mixer(...keys: string[]) {
  const mixed: number[][] = [];
  const sounds = new AudioMixer((samples) => mixed.push([...samples]));
  for (const key of keys) sounds.add(key);
  return { mixed, sounds, push: (key: string, ...samples: number[]) => sounds.push(key, Float32Array.from(samples)) };
}

describe('The sound of a room', () => {
  it('of one track goes on at once', () => {
    const { mixed, push } = mixer('a');
    push('a', 0.5, -0.5);
    expect(mixed).toEqual([[0.5, -0.5]]);
  });

  it('of several tracks is added up, and never louder than the loudest', () => {
    const { mixed, push } = mixer('a', 'b');
    push('a', 0.25, 0.75);
    expect(mixed).toEqual([]);
    push('b', 0.5, 0.75);
    expect(mixed).toEqual([[0.75, 1]]);
  });

  it('waits for a track that gives nothing by one frame, and loses none', () => {
    const { mixed, push } = mixer('a', 'silent');
    for (const sample of [0.25, 0.5, 0.75]) push('a', sample);
    expect(mixed).toEqual([[0.25], [0.5]]);
    push('silent', 0);
    expect(mixed).toEqual([[0.25], [0.5], [0.75]]);
  });

  it('goes on without a track that is gone, with its last frame', () => {
    const { mixed, sounds, push } = mixer('a', 'b');
    push('b', 0.5);
    sounds.remove('b');
    push('b', 0.5);
    push('a', 0.25);
    expect(mixed).toEqual([[0.5], [0.25]]);
  });
});
