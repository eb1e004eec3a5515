import { describe, expect, it } from 'vitest';
import { contentOf, STEP_NAMES, stepOf, type TourFacts } from './steps.ts';

const AT_FIRST: TourFacts = {
  page: 'talk',
  phase: 'idle',
  microphone: 'off',
  answered: false,
  sessionId: null,
};

describe('the tour', () => {
  it('goes on with what happens in the page', () => {
    const story: Partial<TourFacts>[] = [
      {},
      { phase: 'starting', microphone: 'asked' },
      { phase: 'live', microphone: 'on', sessionId: 's1' },
      { answered: true },
      { phase: 'over' },
      { phase: 'idle', page: 'record' },
    ];
    let facts = AT_FIRST;
    const steps = story.map((change) => stepOf((facts = { ...facts, ...change })));
    expect(steps).toEqual([...STEP_NAMES]);
  });

  it('lets somebody type who refuses the microphone', () => {
    const facts: TourFacts = { ...AT_FIRST, phase: 'live', microphone: 'refused', sessionId: 's1' };
    expect(stepOf(facts)).toBe('talk');
    expect(contentOf('talk', facts, 'Elena').title).toBe('Write something');
  });

  it('begins anew when the conversation could not start', () => {
    expect(stepOf({ ...AT_FIRST, phase: 'over' })).toBe('pick');
  });

  it('leads back to the conversation from other pages', () => {
    const facts: TourFacts = { ...AT_FIRST, page: 'another', phase: 'live', sessionId: 's1' };
    expect(contentOf(stepOf(facts), facts, 'Elena').elsewhere).toBe('#/');
  });
});
