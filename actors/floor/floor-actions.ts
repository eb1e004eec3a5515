import { and, assign, stateIn } from 'xstate';
import { learnLatency, longestLatency } from './early-transcript.ts';
import { countUninterruptible } from './uninterruptible.ts';
import type { BusEvent } from '../kernel/inner-events.ts';
import { judge, type Verdict } from './interruption.ts';
import { beginOverlap, hear, overlapOf, stopVoice, type OverlapEvidence } from './overlap.ts';
import { modeOf } from '../meeting/conversation-mode.ts';
import { actorSetup, performs, tells, type ActorContext } from '../kernel/actor-setup.ts';

/** After the voice, the recognizer's text is awaited this long with the volume lowered, until its latency is known. */
const FIRST_VERDICT_WAIT_MS = 1_500;
/** The persona's voice stays lowered this long at most; a sound that goes on without words is part of the room. */
const DUCK_AT_MOST_MS = 2_500;

interface Context extends ActorContext {
  readonly overlap: OverlapEvidence;
  /** This recognizer has been seen to give words while the user speaks. */
  readonly partialsKnown: boolean;
  readonly uninterruptibles: number;
  /** The last sound of the newest turn that was answered. */
  readonly userEndedAt: number | null;
  /** When the recognizer was asked for the words of an overlap, and how long that takes; null: not yet known. */
  readonly askedAt: number;
  readonly latencyMs: number | null;
}

/** What the names in the table of `floor-machine.ts` stand for. */
export const floorSetup = actorSetup({ types: {} as { context: Context } }).extend({
  guards: {
    personaCanBeInterrupted: and([stateIn({ persona: 'audible' }), 'personaIsInterruptible']),
    userIsHeard: stateIn({ user: 'talking' }),
    isLastUninterruptible: ({ context }) => context.uninterruptibles <= 1,
    personaIsInterruptible: ({ context }) => context.uninterruptibles === 0,
    isWords: ({ context, event }) => verdict(context, event) === 'words',
    isVoice: ({ context, event }) => verdict(context, event) === 'voice',
    isKeep: ({ context, event }) => verdict(context, event) === 'keep',
  },
  actions: {
    countUninterruptible: assign({
      uninterruptibles: ({ context, event }) => countUninterruptible(context.uninterruptibles, event),
    }),
    noteUserEnd: assign({
      userEndedAt: ({ context, event }) => (event.type === 'turn.ended' ? event.turn.endedAt : context.userEndedAt),
    }),
    tellTaken: tells({ type: 'floor.taken' }),
    tellFree: tells({ type: 'floor.free' }),
    duck: performs({ type: 'speech.duck' }),
    unduck: performs({ type: 'speech.unduck' }),
    beginOverlap: assign({ overlap: ({ context, event }) => beginOverlap(event, context.env.now()) }),
    hear: assign({ overlap: ({ context, event }) => hear(context.overlap, event) }),
    stopVoice: assign({ overlap: ({ context, event }) => stopVoice(context.overlap, event) }),
    notePartials: assign({
      partialsKnown: ({ context, event }) =>
        context.partialsKnown || (event.type === 'stt.partial' && event.text.trim() !== ''),
    }),
    tellYield: ({ context }, params: { evidence: 'words' | 'voice' }) =>
      context.env.tell({ type: 'floor.yield', evidence: params.evidence }),
    tellKeep: tells({ type: 'floor.keep' }),
    tellUndecided: tells({ type: 'floor.undecided' }),
    noteAsked: assign({ askedAt: ({ context }) => context.env.now() }),
    noteLatency: assign({
      latencyMs: ({ context: { env, askedAt, latencyMs } }) => {
        const measured = env.now() - askedAt;
        return learnLatency(latencyMs ?? measured, measured);
      },
    }),
  },
  delays: {
    verdictWait: ({ context: { latencyMs } }) =>
      Math.min(latencyMs === null ? FIRST_VERDICT_WAIT_MS : longestLatency(latencyMs), DUCK_AT_MOST_MS),
    duckAtMost: DUCK_AT_MOST_MS,
  },
});

function verdict({ env, overlap, partialsKnown, userEndedAt }: Context, event: BusEvent): Verdict {
  const { memory } = env;
  return judge(
    overlapOf(hear(stopVoice(overlap, event), event), {
      speaker: memory.speaker,
      partialsKnown,
      userEndedAt,
      mode: modeOf(env),
      language: memory.settings.languageCode ?? memory.spokenLanguage,
    }),
  );
}
