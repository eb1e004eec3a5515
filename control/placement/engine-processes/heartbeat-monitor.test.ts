import { describe, expect, it, vi } from 'vitest';
import { SimulatedClock } from 'xstate';
import { HeartbeatMonitor } from './heartbeat-monitor.ts';

describe('A process that tells nothing any more', () => {
  function watched() {
    const clock = new SimulatedClock();
    const silent = vi.fn<() => void>();
    /** In steps, because a timer that is set meanwhile counts from the end of a step. */
    const pass = (seconds: number): void => {
      for (let second = 0; second < seconds; second += 1) clock.increment(1_000);
    };
    return { pass, silent, monitor: new HeartbeatMonitor(clock, silent) };
  }

  it('is noticed once, after its lease has ended', () => {
    const { pass, silent, monitor } = watched();
    monitor.beat();
    pass(8);
    expect(silent).not.toHaveBeenCalled();
    pass(2);
    expect(silent).toHaveBeenCalledOnce();
    pass(60);
    expect(silent).toHaveBeenCalledOnce();
  });

  it('is not noticed while it tells something, nor before it has told anything', () => {
    const { pass, silent, monitor } = watched();
    pass(60);
    for (let beat = 0; beat < 100; beat += 1) {
      monitor.beat();
      pass(5);
    }
    expect(silent).not.toHaveBeenCalled();
  });

  it('is not noticed when it has ended, and the next one is watched from its first word on', () => {
    const { pass, silent, monitor } = watched();
    monitor.beat();
    monitor.end();
    pass(60);
    expect(silent).not.toHaveBeenCalled();
    monitor.beat();
    pass(10);
    expect(silent).toHaveBeenCalledOnce();
  });
});
