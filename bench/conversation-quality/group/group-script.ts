import { FRESH, HELD_OUT, TUNING } from '../inventory.ts';
import type { Random } from '../random.ts';

/** What people of a meeting say to each other and to the persona. */

export const PERSONA = 'Elena';
/** Somebody with a similar name is there in half of the meetings. */
export const SIMILAR = 'Helena';
const PEOPLE = ['Alice', 'Bob', 'Carol'];

/**
 * `talk`: to each other. `similar`: to somebody with a similar name. `addressed`: to the persona. `follow-up`: the next
 * question of whoever was just answered. `turned-away`: what that person says to the others instead.
 */
export type GroupActKind = 'talk' | 'similar' | 'addressed' | 'follow-up' | 'turned-away';

export interface GroupAct {
  readonly kind: GroupActKind;
  readonly who: string;
  readonly text: string;
  /** Silence before it, ms; less than 0: it begins before the other one has ended. */
  readonly gapMs: number;
}

/** What the recognizer may write for the persona's name: by sound, and sometimes wrong beyond recognition. */
export const HEARD_AS = [
  'elena',
  'elena',
  'elena',
  'alena',
  'elaina',
  'elina',
  'helena',
  'ellena',
  'eleanor',
  'a lena',
];

const ALL = [TUNING, HELD_OUT, FRESH];
const TALK = [
  ...ALL.flatMap(({ turns, sideTalk }) => [...turns, ...sideTalk]),
  'we should ship on friday',
  'I think the numbers look good this quarter',
  'let us move on to the next point',
  'that depends on the budget',
  'I would rather wait until the tests are green',
  'did anybody talk to the customer',
];
const QUESTIONS = [
  'what do you think',
  'can you tell us the numbers of last month',
  'when does the next release ship',
  'is there anything that we forgot',
  'how many people have signed up so far',
];
const FOLLOW_UPS = [
  'and what about next month',
  'how sure are you',
  'is that more than last year',
  'why is that',
  'can you say that again',
];
const ACKNOWLEDGED = [
  'okay let us go on then',
  'good that is what I thought',
  'thanks then we are done with this point',
];

/** @returns the people of a meeting and what they say, a dozen acts long. */
export function groupScript(random: Random): {
  readonly people: readonly string[];
  readonly acts: readonly GroupAct[];
} {
  const people = random.chance(0.5) ? [...PEOPLE, SIMILAR] : PEOPLE;
  const acts: GroupAct[] = [];
  while (acts.length < 12) {
    // Whoever was just answered and goes on with a question asks the persona: others speak next.
    const who = random.pick(people.filter((one) => one !== acts.at(-1)?.who));
    acts.push(...(random.chance(0.3) ? exchange(random, who) : [talk(random, who, people)]));
  }
  return { people, acts };
}

/** Gaps between speakers: a fifth of a second in the middle, and some overlap (Stivers et al. 2009, ten languages). */
function gap(random: Random): number {
  return random.chance(0.15) ? random.between(800, 2_500) : random.around(250, 500);
}

function talk(random: Random, who: string, people: readonly string[]): GroupAct {
  const gapMs = gap(random);
  return people.includes(SIMILAR) && who !== SIMILAR && random.chance(0.15)
    ? { kind: 'similar', who, text: `${SIMILAR.toLowerCase()} ${random.pick(QUESTIONS)}`, gapMs }
    : { kind: 'talk', who, text: random.pick(TALK), gapMs };
}

/** Somebody asks the persona, and then asks on, or turns to the others again. */
function exchange(random: Random, who: string): GroupAct[] {
  const question = random.pick(QUESTIONS);
  const name = PERSONA.toLowerCase();
  const text = random.chance(0.7) ? `${name} ${question}` : `${question} ${name}`;
  const asked: GroupAct = { kind: 'addressed', who, text, gapMs: gap(random) };
  if (random.chance(0.4)) return [asked];
  return random.chance(0.6)
    ? [asked, { kind: 'follow-up', who, text: random.pick(FOLLOW_UPS), gapMs: random.between(300, 2_000) }]
    : [asked, { kind: 'turned-away', who, text: random.pick(ACKNOWLEDGED), gapMs: random.between(300, 2_000) }];
}
