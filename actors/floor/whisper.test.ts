import { describe, expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

/** A whisper 13 dB below the usual voice was ignored without a trace, although nothing else was to be heard. */
describe('a whisper into the silence', () => {
  function whisper(answer: string, confidence: number | null, afterMs = 3_000): string[] {
    const s = new SimulatedSession().connect().wait(500);
    s.engine.answer = () => ({ text: answer });
    s.speak('hello there').wait(3_000).speak('nice to meet you').wait(afterMs);
    s.engine.confidence = confidence;
    s.speak('my baby is asleep', 1_200, { levelDb: -38 }).wait(4_000);
    return s.transcript();
  }

  it('is answered if the recognizer is sure of its words, or a question came before', () => {
    expect(whisper('Hello.', 0.9)).toContain('user: my baby is asleep');
    expect(whisper('How are you?', null)).toContain('user: my baby is asleep');
  });

  /** Three far voices were answered because the persona had asked something 7 to 12 s before. */
  it('of whom the persona asked long ago is somebody across the room', () => {
    expect(whisper('How are you?', null, 5_500)).toContain('user: my baby is asleep');
    expect(whisper('How are you?', null, 8_500)).not.toContain('user: my baby is asleep');
  });

  it('is somebody across the room otherwise', () => {
    expect(whisper('Hello.', 0.4)).not.toContain('user: my baby is asleep');
    expect(whisper('Hello.', null)).not.toContain('user: my baby is asleep');
  });
});
