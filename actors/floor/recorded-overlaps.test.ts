import { describe, expect, it } from 'vitest';
import { judge, type Verdict } from './interruption.ts';
import { UNKNOWN_LEVEL } from './speaker-level.ts';

/**
 * What PocketSphinx wrote while three voices of flite said short things: [words, voiced ms, partial texts by ms from
 * the onset, final text]. Before, "but" for "uh-huh" and "ice" for "I see" stopped the persona.
 */
type Recorded = readonly [
  said: string,
  voicedMs: number,
  partials: readonly (readonly [number, string])[],
  final: string,
];

const LISTENING: readonly Recorded[] = [
  ['okay', 436, [], 'okay'],
  [
    'okay',
    360,
    [
      [84, 'though'],
      [180, 'okay'],
    ],
    'okay',
  ],
  ['okay', 325, [], 'okay'],
  [
    'I see',
    308,
    [
      [180, 'i'],
      [308, 'i see'],
    ],
    'i see',
  ],
  [
    'I see',
    500,
    [
      [116, 'i'],
      [180, 'ice'],
      [468, 'i see'],
    ],
    'i see',
  ],
  [
    'I see',
    330,
    [
      [148, 'i'],
      [308, 'ice'],
      [436, 'i see'],
    ],
    'i see',
  ],
  ['yeah', 244, [], 'yeah'],
  [
    'yeah',
    215,
    [
      [84, 'he'],
      [180, 'you'],
      [308, 'you have'],
    ],
    'you have',
  ],
  ['yeah', 95, [[180, 'yeah']], 'yeah'],
  [
    'uh huh',
    130,
    [
      [52, 'the'],
      [180, 'the hell'],
    ],
    'huh',
  ],
  [
    'uh huh',
    235,
    [
      [52, 'but'],
      [180, 'buffalo'],
      [308, 'but'],
    ],
    'but',
  ],
  ['uh huh', 175, [[180, 'the']], 'so'],
  [
    'right',
    212,
    [
      [180, 'by'],
      [308, 'right'],
    ],
    'right',
  ],
  [
    'right',
    295,
    [
      [52, 'for'],
      [180, 'bra'],
      [308, 'right'],
    ],
    'right',
  ],
  [
    'right',
    265,
    [
      [180, 'bro'],
      [308, 'right'],
    ],
    'right',
  ],
  [
    'got it',
    275,
    [
      [52, 'the'],
      [180, 'got'],
      [308, 'got a'],
    ],
    'got it',
  ],
  [
    'got it',
    320,
    [
      [180, 'go'],
      [308, 'go to'],
      [436, 'got it'],
    ],
    'got it',
  ],
  [
    'really',
    340,
    [
      [212, 'brill'],
      [308, 'really'],
    ],
    'really',
  ],
  [
    'really',
    308,
    [
      [52, 'for'],
      [180, 'real'],
      [308, 'really'],
    ],
    'really',
  ],
  ['really', 205, [], 'really'],
];

const INTERRUPTIONS: readonly Recorded[] = [
  ['wait', 276, [[180, 'way']], 'wait'],
  [
    'wait',
    110,
    [
      [52, "we're"],
      [180, 'wait'],
    ],
    'wait',
  ],
  [
    'stop',
    380,
    [
      [84, "it's"],
      [244, 'asked'],
      [308, 'asked how'],
      [436, 'stop'],
    ],
    'stop',
  ],
  [
    'stop',
    225,
    [
      [52, 'it'],
      [180, 'stop'],
    ],
    'stop',
  ],
  ['stop', 360, [], 'stop'],
  ['no', 276, [], 'no'],
  [
    'no',
    230,
    [
      [52, 'and'],
      [180, 'no'],
    ],
    'no',
  ],
  [
    'but why',
    535,
    [
      [52, 'the'],
      [180, 'but'],
      [308, 'but why'],
    ],
    'but why',
  ],
  [
    'but why',
    395,
    [
      [180, 'but'],
      [436, 'but why'],
    ],
    'but why',
  ],
  [
    'what about Monday',
    884,
    [
      [180, 'when'],
      [308, 'one of the'],
      [436, 'but now'],
    ],
    'what about monday',
  ],
  [
    'what about Monday',
    770,
    [
      [180, 'what'],
      [308, 'what of'],
      [436, 'what about'],
    ],
    'what about monday',
  ],
  [
    'hold on',
    535,
    [
      [180, 'so'],
      [308, 'told'],
      [436, 'sold all'],
      [564, 'sold on'],
    ],
    'hold on',
  ],
];

const WINDOW_MS = 32;
/** After the voice the segmenter waits so long; then the final text is asked for. */
const STOPPED_AFTER_MS = 160;

/** @returns the first verdict that is not `wait`. */
function decide([, voicedMs, partials, final]: Recorded): Verdict {
  const at = (ms: number): string => partials.findLast(([from]) => from <= ms)?.[1] ?? '';
  const overlap = (ms: number) => ({
    from: 60_000,
    voicedMs: Math.min(ms, voicedMs),
    voice: ms >= voicedMs + STOPPED_AFTER_MS ? ('over' as const) : ('on' as const),
    text: at(ms),
    textIsFinal: false,
    language: 'en',
    confidence: null,
    levelDb: -25,
    pausedMs: null,
    speaker: UNKNOWN_LEVEL,
    partialsKnown: true,
    mode: 'one-to-one' as const,
  });
  for (let ms = WINDOW_MS; ms <= voicedMs + STOPPED_AFTER_MS + WINDOW_MS; ms += WINDOW_MS) {
    const verdict = judge(overlap(ms));
    if (verdict !== 'wait') return verdict;
  }
  return judge({ ...overlap(voicedMs + STOPPED_AFTER_MS), text: final, textIsFinal: true });
}

describe('short words over the persona, as the offline recognizer writes them', () => {
  it('signs of listening stop it at most once in twenty', () => {
    const stopped = LISTENING.filter((recorded) => decide(recorded) !== 'keep').map(([said, , , final]) => [
      said,
      final,
    ]);
    expect(stopped.length, JSON.stringify(stopped)).toBeLessThanOrEqual(1);
  });

  it.each(INTERRUPTIONS)('"%s" stops it', (...recorded) => {
    expect(decide(recorded)).toBe('words');
  });
});
