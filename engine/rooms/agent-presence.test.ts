import { describe, expect, it } from 'vitest';
import { SimulatedTimers } from '../audio-out/testing/simulated-timers.ts';
import { AgentPresence } from './agent-presence.ts';

function watch() {
  const timers = new SimulatedTimers();
  let gone = 0;
  const presence = new AgentPresence('agent', timers, () => (gone += 1));
  return { timers, presence, gone: () => gone };
}

describe('the agent of a room', () => {
  it('is waited for a minute', async () => {
    const { timers, presence, gone } = watch();
    presence.joined(['user']);
    await timers.advance(59_000);
    expect(gone()).toBe(0);
    await timers.advance(2_000);
    expect(gone()).toBe(1);
  });

  it('may be there already, or come later, and then stay for hours', async () => {
    const { timers, presence, gone } = watch();
    presence.joined(['agent']);
    presence.changed(['user'], ['somebody']);
    await timers.advance(3_600_000);
    const late = watch();
    late.presence.joined([]);
    await late.timers.advance(50_000);
    late.presence.changed(['agent'], []);
    await late.timers.advance(3_600_000);
    expect([gone(), late.gone()]).toEqual([0, 0]);
  });

  it('is not expected back for more than twenty seconds', async () => {
    const { timers, presence, gone } = watch();
    presence.joined(['agent']);
    presence.changed([], ['agent']);
    await timers.advance(15_000);
    presence.changed(['agent'], []);
    await timers.advance(60_000);
    expect(gone()).toBe(0);
    presence.changed([], ['agent']);
    await timers.advance(21_000);
    expect(gone()).toBe(1);
  });

  it('comes back after the server of the room was restarted, or the session ends', async () => {
    const { timers, presence, gone } = watch();
    presence.joined(['agent']);
    presence.joined([]);
    await timers.advance(10_000);
    presence.changed(['agent'], []);
    await timers.advance(60_000);
    expect(gone()).toBe(0);
    presence.joined([]);
    await timers.advance(21_000);
    expect(gone()).toBe(1);
  });
});
