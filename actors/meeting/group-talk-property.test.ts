import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { violations } from '../testing/invariants.ts';
import { SimulatedMeeting } from '../testing/simulated-meeting.ts';

const PEOPLE = ['Alice', 'Bob', 'Carol'] as const;
const TALK = [
  'we should ship on friday',
  'I am not sure about that',
  'mm-hm',
  'what about the budget',
  'I would like to',
];
const TO_PERSONA = ['Elena what do you think', 'can you help us Elena', 'thanks Elena'];

const words = (texts: readonly string[]) =>
  fc.record({
    who: fc.constantFrom(...PEOPLE),
    text: fc.constantFrom(...texts),
    ms: fc.integer({ min: 300, max: 3_000 }),
    /** Until the next one begins; less than 0: both talk at once. */
    gapMs: fc.integer({ min: -800, max: 4_000 }),
  });
type Talk = readonly { who: (typeof PEOPLE)[number]; text: string; ms: number; gapMs: number }[];
const talk = (texts: readonly string[]): fc.Arbitrary<Talk> => fc.array(words(texts), { minLength: 1, maxLength: 10 });
const skew = fc.integer({ min: -200, max: 200 });

interface Held {
  readonly meeting: SimulatedMeeting;
  readonly voices: readonly { readonly from: number; readonly to: number }[];
}

function hold(script: Talk, skewMs: number): Held {
  const meeting = new SimulatedMeeting({ others: PEOPLE, skewMs });
  meeting.session.engine.answer = () => ({ text: 'There are a few things to say about this. I will be short.' });
  const late = Math.max(0, -skewMs);
  const voices: { from: number; to: number }[] = [];
  for (const { who, text, ms, gapMs } of script) {
    const from = meeting.session.clock.now() + late;
    voices.push({ from, to: from + ms });
    meeting.begin(who, text, ms).wait(Math.max(50, ms + gapMs));
  }
  return { meeting: meeting.wait(20_000), voices };
}

/** When the persona begins to be heard, not from sentence to sentence. */
function beginnings({ session }: SimulatedMeeting): readonly number[] {
  const { heard } = session.engine;
  return heard.filter(({ from }, at) => from - (heard[at - 1]?.to ?? -Infinity) > 200).map(({ from }) => from);
}

describe('whatever people say to each other', () => {
  it('the persona says nothing while nobody names it', () => {
    fc.assert(
      fc.property(talk(TALK), skew, (script, skewMs) => {
        const { session } = hold(script, skewMs).meeting;
        expect(session.performed('llm.request')).toEqual([]);
        expect(session.engine.heard).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('the persona begins only in silence, and every rule of messages holds', () => {
    /** Two windows until a voice is suspected, and one of the clock. */
    const NOTICED_MS = 100;
    fc.assert(
      fc.property(talk([...TALK, ...TO_PERSONA]), skew, (script, skewMs) => {
        const { meeting, voices } = hold(script, skewMs);
        for (const from of beginnings(meeting))
          for (const voice of voices) expect(from > voice.from + NOTICED_MS && from < voice.to).toBe(false);
        expect(violations(meeting.session.commands)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('the last one who names it gets an answer', () => {
    fc.assert(
      fc.property(
        talk(TALK),
        fc.constantFrom(...PEOPLE),
        fc.constantFrom(...TO_PERSONA),
        skew,
        (script, who, text, skewMs) => {
          const { meeting } = hold([...script, { who, text, ms: 1_500, gapMs: 0 }], skewMs);
          expect(meeting.answers()).toHaveLength(1);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('rows name those who spoke, where one waits for the other', () => {
    const inTurns = talk(['we should ship on friday', 'I am not sure about that']).map((script) =>
      script.map((one) => ({ ...one, gapMs: 400 + Math.abs(one.gapMs) })),
    );
    fc.assert(
      fc.property(inTurns, skew, (script, skewMs) => {
        const spoken = script.map(({ who, text }) => `${who}: ${text}`);
        // What one says twice in a row, without a pause that ends a turn, is one row.
        const rows = hold(script, skewMs).meeting.transcript();
        expect(new Set(rows.map((row) => row.split(':')[0]))).toEqual(new Set(script.map(({ who }) => who)));
        expect(rows.map((row) => row.replace(/^\w+: /, '')).join(' ')).toBe(script.map(({ text }) => text).join(' '));
        expect(rows.length).toBeLessThanOrEqual(spoken.length);
      }),
      { numRuns: 25 },
    );
  });

  it('the same words at the same times give the same commands', () => {
    fc.assert(
      fc.property(talk([...TALK, ...TO_PERSONA]), skew, (script, skewMs) => {
        const [one, two] = [hold(script, skewMs), hold(script, skewMs)];
        expect(one.meeting.session.commands).toEqual(two.meeting.session.commands);
      }),
      { numRuns: 10 },
    );
  });
});
