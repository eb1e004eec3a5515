import { describe, expect, it } from 'vitest';
import { SteadyNoise } from './steady-noise.ts';

const room = (noise: SteadyNoise, levelDb: number, windows = 60): void => {
  for (let i = 0; i < windows; i += 1) noise.hear({ probability: 0.02, levelDb });
};
const voice = (noise: SteadyNoise, levelDb: number, windows = 60): void => {
  for (let i = 0; i < windows; i += 1) noise.hear({ probability: 0.95, levelDb });
};

describe('steady noise', () => {
  it('is not there before anything was heard', () => {
    expect(new SteadyNoise().isLoud).toBe(false);
  });

  it('is loud where it is near the level of the voice', () => {
    const noise = new SteadyNoise();
    room(noise, -30);
    voice(noise, -18);
    expect(noise.isLoud).toBe(true);
  });

  it('is not a quiet room, of a loud voice or a soft one', () => {
    for (const level of [-8, -24]) {
      const noise = new SteadyNoise();
      room(noise, level - 28);
      voice(noise, level, 600);
      expect(noise.isLoud).toBe(false);
    }
  });

  it('is not voices in the background, or clicks', () => {
    const voices = new SteadyNoise();
    for (let i = 0; i < 60; i += 1) voices.hear({ probability: 0.4, levelDb: -25 });
    expect(voices.isLoud).toBe(false);
    const clicks = new SteadyNoise();
    for (let i = 0; i < 100; i += 1) clicks.hear({ probability: 0.02, levelDb: i % 5 === 0 ? -20 : -60 });
    expect(clicks.isLoud).toBe(false);
  });

  it('ends when the fan is switched off', () => {
    const noise = new SteadyNoise();
    room(noise, -25);
    expect(noise.isLoud).toBe(true);
    room(noise, -60);
    expect(noise.isLoud).toBe(false);
  });
});
