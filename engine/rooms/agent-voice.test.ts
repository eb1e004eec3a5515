import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PassthroughRefusal } from '../../actors/events.ts';
import { createFakeSynthesizer } from '../../models/fakes/index.ts';
import { openTestAudioOut } from '../audio-out/testing/open-test-voice.ts';
import { AGENT_LIMITS, AgentVoice } from './agent-voice.ts';
import { AGENT, AVATAR, SimulatedAgent } from './testing/simulated-agent.ts';

/** A real voice on simulated time, with an agent that speaks by it. */
function openVoice(options: { actors?: 'cut' | 'know nothing' } = {}) {
  const refusals: PassthroughRefusal[] = [];
  let voice: AgentVoice | null = null;
  const { output, timers, record } = openTestAudioOut(createFakeSynthesizer({ sampleRate: 48_000 }), {
    passthrough: true,
    passthroughLimits: AGENT_LIMITS,
    handlers: { report: (event) => voice?.reported(event) },
  });
  const agent: SimulatedAgent = new SimulatedAgent((bytes) => voice?.take(bytes));
  voice = new AgentVoice({
    me: AVATAR,
    agent: AGENT,
    voice: output,
    send: (bytes) => agent.take(bytes),
    interrupted: () => {
      if (options.actors !== 'know nothing') output.cut();
    },
    refused: (reason) => refusals.push(reason),
    timers,
    log: { warn() {} },
  });
  output.start();
  const finished = () =>
    agent.told.filter(({ method }) => method === 'lk.playback_finished').map(({ payload }) => payload);
  return { agent, voice, output, timers, record, refusals, finished };
}

const end = (seconds: number, interrupted = false) => ({
  playback_position: seconds,
  interrupted,
  synchronized_transcript: null,
});

describe('the voice of an agent', () => {
  it('is heard at once, and tells begin and end of a segment with exactly three keys', async () => {
    const { agent, timers, output } = openVoice();
    await timers.advance(15);
    agent.say(1_000, 24_000);
    expect(agent.told).toEqual([{ method: 'lk.playback_started', payload: null }]);
    await timers.advance(2_000);
    expect(agent.told.slice(1)).toEqual([{ method: 'lk.playback_finished', payload: end(1) }]);
    output.close();
  });

  it('says segments that come together one after the other', async () => {
    const { agent, timers, finished, output } = openVoice();
    await timers.advance(15);
    for (const ms of [400, 20, 600]) agent.say(ms);
    await timers.advance(3_000);
    expect(finished()).toEqual([end(0.4), end(0.02), end(0.6)]);
    output.close();
  });

  it('takes minutes at once', async () => {
    const { agent, timers, finished, refusals, output } = openVoice();
    await timers.advance(15);
    agent.say(250_000, 8_000);
    expect(refusals).toEqual([]);
    agent.clearBuffer();
    expect(finished()).toEqual([expect.objectContaining({ interrupted: true })]);
    output.close();
  });

  it.each(['cut', 'know nothing'] as const)(
    'is silent when the agent clears its buffer (actors: %s)',
    async (actors) => {
      const { agent, timers, finished, output } = openVoice({ actors });
      await timers.advance(15);
      agent.say(10_000);
      agent.say(5_000);
      await timers.advance(2_000);
      agent.clearBuffer();
      const [first, second] = finished() as { playback_position: number; interrupted: boolean }[];
      expect(first).toMatchObject({ interrupted: true });
      expect(first!.playback_position).toBeGreaterThan(1.9);
      expect(first!.playback_position).toBeLessThan(2.1);
      expect(second).toEqual(end(0, true));
      expect([...agent.answers.values()]).toEqual(['ok']);
      await timers.advance(20_000);
      expect(finished()).toHaveLength(2);
      output.close();
    },
  );

  it('ends a segment that was cleared before anything of it was heard, and drops the rest of it', async () => {
    const { agent, timers, finished, output } = openVoice({ actors: 'know nothing' });
    await timers.advance(15);
    const stream = agent.open();
    agent.chunk(stream, 0, new Uint8Array(960));
    agent.clearBuffer();
    expect(finished()).toEqual([end(0, true)]);
    agent.chunk(stream, 1, new Uint8Array(96_000));
    agent.close(stream);
    agent.say(100);
    await timers.advance(1_000);
    expect(finished()).toEqual([end(0, true), end(0.1)]);
    output.close();
  });

  it('answers a clear of nothing, and tells no end', async () => {
    const { agent, finished, output } = openVoice();
    agent.clearBuffer();
    expect([...agent.answers.values()]).toEqual(['ok']);
    expect(finished()).toEqual([]);
    output.close();
  });

  it('refuses methods that it does not have', () => {
    const { agent, output } = openVoice();
    agent.call('x', 'lk.something');
    expect(agent.answers.get('x')).toBe(1400);
    output.close();
  });

  it('ends segments without sound, and those that it cannot say', async () => {
    const { agent, timers, finished, refusals, output } = openVoice();
    await timers.advance(15);
    agent.close(agent.open());
    agent.say(100, 96_000);
    const stream = agent.open(48_000, 6);
    agent.chunk(stream, 0, new Uint8Array(9_600));
    agent.close(stream);
    await timers.advance(1_000);
    expect(finished()).toEqual([end(0), end(0), end(0)]);
    expect(refusals).toEqual(['format']);
    output.close();
  });

  it('tells one end of a segment that stalls for seconds, with all of its sound', async () => {
    const { agent, timers, finished, output } = openVoice();
    await timers.advance(15);
    const stream = agent.open();
    agent.chunk(stream, 0, new Uint8Array(96_000));
    await timers.advance(6_000);
    agent.chunk(stream, 1, new Uint8Array(96_000));
    await timers.advance(6_000);
    expect(finished()).toEqual([]);
    agent.close(stream);
    await timers.advance(2_000);
    expect(finished()).toEqual([end(2)]);
    output.close();
  });

  it('ends a segment whose end got lost: after ten seconds, or with the next one', async () => {
    const { agent, timers, finished, output } = openVoice();
    await timers.advance(15);
    agent.chunk(agent.open(), 0, new Uint8Array(96_000));
    await timers.advance(9_000);
    expect(finished()).toEqual([]);
    await timers.advance(2_000);
    expect(finished()).toEqual([end(1)]);
    agent.chunk(agent.open(), 0, new Uint8Array(96_000));
    agent.say(100);
    await timers.advance(2_000);
    expect(finished()).toEqual([end(1), end(1), end(0.1)]);
    output.close();
  });

  it('tells the end of a segment once the room is back, and again when the agent refused it', async () => {
    const { agent, voice, timers, finished, output } = openVoice();
    await timers.advance(15);
    agent.say(100);
    agent.state = 'deaf';
    await timers.advance(1_000);
    agent.state = 'listens';
    expect(finished()).toEqual([]);
    voice.reachable();
    expect(finished()).toEqual([end(0.1)]);
    voice.reachable();
    expect(finished()).toEqual([end(0.1)]);
    agent.refuses = 2;
    agent.say(200);
    await timers.advance(2_000);
    expect(finished()).toEqual([end(0.1), end(0.2)]);
    output.close();
  });

  it('takes nothing from others, and nothing broken', async () => {
    const { agent, voice, timers, finished, output } = openVoice();
    await timers.advance(15);
    agent.send({ case: 'rpcRequest', value: { id: 'foreign', method: 'lk.clear_buffer' } }, 'somebody else');
    voice.take(Uint8Array.of(0xff, 0xff, 0x01));
    expect(agent.answers.size).toBe(0);
    agent.say(100);
    agent.send({ case: 'rpcRequest', value: { id: 'foreign', method: 'lk.clear_buffer' } }, 'somebody else');
    await timers.advance(1_000);
    expect(finished()).toEqual([end(0.1)]);
    output.close();
  });

  it('tells exactly one end of each segment, in order, whatever is said, cut, stalled and waited for', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('say' as const), ms: fc.integer({ min: 0, max: 2_000 }) }),
      fc.record({ do: fc.constant('open' as const), ms: fc.integer({ min: 0, max: 900 }) }),
      fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 4_000 }) }),
      fc.record({ do: fc.constant('clear' as const), ms: fc.constant(0) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.constantFrom(8_000, 22_050, 24_000, 44_100),
        async (steps, rate) => {
          const { agent, timers, finished, output } = openVoice();
          await timers.advance(15);
          let segments = 0;
          for (const { do: what, ms } of steps) {
            if (what === 'wait') await timers.advance(ms);
            else if (what === 'clear') agent.clearBuffer();
            else {
              segments += 1;
              const stream = agent.open(rate);
              agent.chunk(stream, 0, new Uint8Array(Math.round((ms * rate) / 1_000) * 2));
              if (what === 'say') agent.close(stream);
            }
          }
          await timers.advance(40_000);
          expect(finished()).toHaveLength(segments);
          output.close();
        },
      ),
      { numRuns: 25 },
    );
  });

  /**
   * An agent of an attacker called, or began segments, without end: the answers to 14,000 calls held the thread of everybody's
   * sound for 0.7 s at a time.
   */
  it('answers fifty calls and segments at once, and then ten a second', async () => {
    const { agent, finished, timers, output } = openVoice();
    await timers.advance(15);
    for (let call = 0; call < 2_000; call += 1) agent.call(`call-${call}`, 'lk.clear_buffer');
    expect(agent.answers.size).toBe(50);
    await timers.advance(1_000);
    for (let segment = 0; segment < 2_000; segment += 1) agent.close(agent.open());
    await timers.advance(10);
    expect(finished()).toHaveLength(10);
    await timers.advance(5_000);
    agent.say(100);
    await timers.advance(1_000);
    expect(finished()).toHaveLength(11);
    output.close();
  });
});
