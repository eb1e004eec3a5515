import { afterEach, describe, expect, test } from 'vitest';
import type { NoiseFilter } from '../../../models/ports.ts';
import { silence, spoken, tripled, whiteNoise } from '../../../models/testing/sounds.ts';
import { DOWNSAMPLE_DELAY_MS } from '../decode/downsample.ts';
import { ENCODER_DELAY_MS, UserAudio } from './user-audio.ts';
import type { UserAudioHandlers } from './user-audio.ts';
import { FRAME_SAMPLES } from '../../media/audio-format.ts';
import { opusPackets } from '../testing/opus-packets.ts';

const START = 1_000_000;
const TIMESTAMP = 4_294_960_000; // passes 32 bits within the first packets
const userAudios: UserAudio[] = [];
afterEach(() => {
  for (const userAudio of userAudios.splice(0)) userAudio.close();
});

function makeUserAudio(
  filter: NoiseFilter | null = null,
  strength = 1,
  handlers: Partial<UserAudioHandlers> = {},
): UserAudio {
  const userAudio = new UserAudio(filter, strength, { audio: null, filterBroken: () => undefined, ...handlers });
  userAudios.push(userAudio);
  return userAudio;
}

/**
 * Packet number `index` of a sender that started at START. It is captured until START + 20·(index + 1), and arrives at
 * that time.
 */
function send(userAudio: UserAudio, payload: Uint8Array, index: number, delay = 0): void {
  userAudio.packet({
    payload,
    sequence: (65_530 + index) & 0xffff,
    timestamp: (TIMESTAMP + index * FRAME_SAMPLES) >>> 0,
    arrivedAt: START + 20 * (index + 1) + delay,
  });
}

function filterThat(process: NoiseFilter['process'], sampleRate = 48_000, frameSamples = 480): NoiseFilter {
  return { sampleRate, frameSamples, process, close: () => undefined };
}

const speech = opusPackets(tripled(spoken('This is a sentence of some length.')));
const quiet = opusPackets(silence(48_000));

describe('a user audio', () => {
  test('cuts the sound into windows of 32 ms, timed by their last sample', () => {
    const userAudio = makeUserAudio();
    speech.forEach((payload, index) => send(userAudio, payload, index));
    const windows = userAudio.takeWindows();
    expect(windows).toHaveLength(Math.floor((speech.length * 20 - 1) / 32));
    windows.forEach(({ raw, endsAt }, index) => {
      expect(raw).toHaveLength(512);
      // Windows begin with the silence that the low-pass filter starts with.
      expect(endsAt).toBeCloseTo(START + 32 * (index + 1) - DOWNSAMPLE_DELAY_MS - ENCODER_DELAY_MS, 1);
    });
    expect(windows.map(({ follows }) => follows).indexOf('pause', 1)).toBe(-1);
  });

  test('tells the same times under jitter', () => {
    const [calm, shaken] = [makeUserAudio(), makeUserAudio()];
    speech.forEach((payload, index) => {
      send(calm, payload, index);
      send(shaken, payload, index, index === 0 ? 0 : (index * 37) % 60);
    });
    expect(shaken.takeWindows()).toEqual(calm.takeWindows());
  });

  test('fills lost packets, so that the times of later sound stay right', () => {
    const userAudio = makeUserAudio();
    speech.forEach((payload, index) => {
      if (index % 7 !== 3) send(userAudio, payload, index);
      userAudio.tick(START + 20 * (index + 1));
    });
    const windows = userAudio.takeWindows();
    expect(windows.length).toBeGreaterThan(Math.floor((speech.length * 20) / 32) - 4);
    expect(windows.at(-1)?.endsAt).toBeGreaterThan(START + speech.length * 20 - 160);
    expect(windows.filter(({ follows }) => follows === 'pause')).toHaveLength(1);
  });

  test('goes on after packets that are no Opus', () => {
    const userAudio = makeUserAudio();
    speech.forEach((payload, index) =>
      send(userAudio, index % 5 === 2 ? Uint8Array.of(0xff, 0xff, 0xff) : payload, index),
    );
    send(userAudio, new Uint8Array(0), speech.length);
    expect(userAudio.takeWindows().length).toBeGreaterThan((speech.length * 20) / 32 / 2);
  });

  test('a stalled network delays what is heard and changes nothing about it: no silence is made up', () => {
    const [calm, stalled] = [makeUserAudio(), makeUserAudio()];
    speech.forEach((payload, index) => {
      send(calm, payload, index);
      // The packets of 400 ms arrive together at its end.
      send(stalled, payload, index, index >= 20 && index < 40 ? 20 * (40 - index) : 0);
      stalled.tick(START + 20 * (index + 1));
    });
    expect(stalled.takeWindows()).toEqual(calm.takeWindows());
  });

  test('hears nothing of another one, whose packets come between its own', () => {
    const changed = () => makeUserAudio(filterThat((frame) => frame.fill(0.25)));
    const [alone, beside, other] = [changed(), changed(), changed()];
    const noise = opusPackets(whiteNoise(48_000, 0.3));
    speech.forEach((payload, index) => send(alone, payload, index));
    speech.forEach((payload, index) => {
      send(beside, payload, index);
      send(other, noise[index % noise.length]!, index);
    });
    expect(beside.takeWindows()).toEqual(alone.takeWindows());
  });

  test('says nothing while no packets come', () => {
    const userAudio = makeUserAudio();
    userAudio.tick(START);
    speech.forEach((payload, index) => send(userAudio, payload, index));
    userAudio.takeWindows();
    for (let ms = 0; ms < 1_000; ms += 20) userAudio.tick(START + 20 * speech.length + ms);
    expect(userAudio.takeWindows()).toEqual([]);
  });

  test('starts anew after an outage and when the sender counts anew', () => {
    const userAudio = makeUserAudio();
    speech.forEach((payload, index) => send(userAudio, payload, index));
    userAudio.takeWindows();
    // 5 s later, same count; then another count.
    speech.forEach((payload, index) => send(userAudio, payload, index + 250));
    const after = userAudio.takeWindows();
    expect(after.filter(({ follows }) => follows === 'pause')).toHaveLength(1);
    expect(after[0]?.follows).toBe('pause');
    expect(after[0]?.endsAt).toBeGreaterThan(START + 5_000 - ENCODER_DELAY_MS);
    speech.forEach((payload, index) =>
      userAudio.packet({
        payload,
        sequence: 20_000 + index,
        timestamp: 77 + index * FRAME_SAMPLES,
        arrivedAt: START + 20_000 + 20 * index,
      }),
    );
    const anew = userAudio.takeWindows();
    expect(anew[0]?.follows).toBe('pause');
    expect(anew.at(-1)?.endsAt).toBeCloseTo(START + 20_000 + 20 * (speech.length - 1), -2);
  });

  test('gives the decoded audio to whoever records it', () => {
    const pieces: { samples: number; at: number }[] = [];
    const userAudio = makeUserAudio(null, 0, { audio: (pcm, at) => pieces.push({ samples: pcm.length, at }) });
    speech.slice(0, 10).forEach((payload, index) => send(userAudio, payload, index));
    expect(pieces).toHaveLength(10);
    pieces.forEach(({ samples, at }, index) => {
      expect(samples).toBe(FRAME_SAMPLES);
      expect(at).toBeCloseTo(START + 20 * index, 3);
    });
  });
});

describe('the noise filter of a user audio', () => {
  test('changes nothing at strength 0', () => {
    const [filtered, dry] = [
      makeUserAudio(
        filterThat((frame, strength) => strength > 0 && frame.fill(0)),
        0,
      ),
      makeUserAudio(),
    ];
    speech.forEach((payload, index) => {
      send(filtered, payload, index);
      send(dry, payload, index);
    });
    expect(filtered.takeWindows()).toEqual(dry.takeWindows());
  });

  test.each([
    ['at 48 kHz', 48_000, 480],
    ['at 16 kHz', 16_000, 256],
  ])('%s gives a filtered window beside each raw one', (_, sampleRate, frameSamples) => {
    const userAudio = makeUserAudio(filterThat((frame) => frame.fill(0), sampleRate, frameSamples));
    speech.forEach((payload, index) => send(userAudio, payload, index));
    const windows = userAudio.takeWindows();
    expect(windows.length).toBeGreaterThan(Math.floor((speech.length * 20) / 32) - 3);
    const loud = windows.filter(({ levelDb }) => levelDb > -40);
    expect(loud.length).toBeGreaterThan(20);
    for (const { filtered } of loud) expect(filtered?.every((x) => Math.abs(x) < 0.05)).toBe(true);
  });

  test('rests while it is quiet', () => {
    let frames = 0;
    const userAudio = makeUserAudio(filterThat(() => frames++));
    quiet.forEach((payload, index) => send(userAudio, payload, index));
    expect(frames).toBe(0);
    expect(userAudio.takeWindows().every(({ filtered }) => filtered === null)).toBe(true);
  });

  test('works again as soon as there is sound', () => {
    let frames = 0;
    const userAudio = makeUserAudio(filterThat(() => frames++));
    const loud = opusPackets(whiteNoise(48_000, 0.3));
    [...quiet, ...loud].forEach((payload, index) => send(userAudio, payload, index));
    expect(frames).toBeGreaterThanOrEqual(98);
  });

  test('is dropped when it breaks, told once, and the user audio goes on', () => {
    const errors: unknown[] = [];
    const userAudio = makeUserAudio(
      filterThat(() => {
        throw new Error('broken');
      }),
      1,
      { filterBroken: (error) => errors.push(error) },
    );
    speech.forEach((payload, index) => send(userAudio, payload, index));
    expect(errors).toHaveLength(1);
    expect(userAudio.takeWindows().length).toBeGreaterThan(30);
  });
});
