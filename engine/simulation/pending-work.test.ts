import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../actors/events.ts';
import { PendingWork } from './pending-work.ts';

const begins = (segmentId: string): SessionEvent => ({ type: 'speech.started', segmentId });

/**
 * A line that was spoken over the greeting seemed not to be heard on a busy machine: the greeting went on while the
 * line was being understood, its next sentence counted as the answer, and so the user said the next line, or hung up.
 */
describe('what answers a line that is spoken over the greeting', () => {
  it('is not the rest of the greeting, but what begins when the line was understood', () => {
    const work = new PendingWork();
    work.event(begins('greeting 1'));
    expect(work.isAnswering).toBe(true);
    work.beginAnswer();
    work.event(begins('greeting 2'));
    expect(work.isAnswering).toBe(false);
    work.event({ type: 'speech.cut', segmentId: 'greeting 2', playedMs: 900 });
    work.understood();
    expect(work.isAnswering).toBe(false);
    work.event(begins('answer'));
    expect(work.isAnswering).toBe(true);
  });
});
