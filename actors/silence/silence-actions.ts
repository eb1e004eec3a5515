import { assign } from 'xstate';
import { modeOf } from '../meeting/conversation-mode.ts';
import {
  afterPrompt,
  afterSpeech,
  elapsed,
  fromStart,
  prompts,
  skipTo,
  warningLeft,
  type SilenceWait,
} from './silence-rules.ts';
import { actorSetup, performs, tells, type ActorContext } from '../kernel/actor-setup.ts';

/** Why nobody counts the silence now. Each running tool is a reason of its own. */
export type Reason = 'not-ready' | 'user' | 'persona' | 'held' | 'paused' | 'meeting' | `tool ${string}`;

/** Index of the first turn of anybody. */
const FIRST_TURN = 1;

interface Context extends ActorContext {
  readonly wait: SilenceWait;
  readonly reasons: ReadonlySet<Reason>;
  readonly countingSince: number;
}

/** What the names in the table of `silence-machine.ts` stand for. */
export const silenceSetup = actorSetup({ types: {} as { context: Context } }).extend({
  guards: {
    nothingHappens: ({ context }) => context.reasons.size === 0,
    somethingHappens: ({ context }) => context.reasons.size > 0,
    promptIsOn: ({ context }) => context.wait.promptLeft !== null,
    endIsOn: ({ context }) => context.wait.endLeft !== null,
    warningIsOn: ({ context }) => warningLeft(context.wait, limitsOf(context)) !== null,
  },
  actions: {
    begin: assign({
      reasons: ({ context }, params: { reason: Reason }) => new Set([...context.reasons, params.reason]),
    }),
    end: assign({
      reasons: ({ context }, params: { reason: Reason }) =>
        new Set([...context.reasons].filter((reason) => reason !== params.reason)),
    }),
    beginTool: assign({
      reasons: ({ context, event }) =>
        event.type === 'tool.begun' ? new Set<Reason>([...context.reasons, `tool ${event.callId}`]) : context.reasons,
    }),
    endTool: assign({
      reasons: ({ context, event }) =>
        event.type === 'tool.over'
          ? new Set([...context.reasons].filter((reason) => reason !== `tool ${event.callId}`))
          : context.reasons,
    }),
    /**
     * People who talk with each other do not wait for the persona, nobody waits in an empty meeting, and a persona that
     * joined silently stays silent until somebody has spoken to it.
     */
    noteMeeting: assign({
      reasons: ({ context: { env, reasons } }) => {
        const { meeting } = env.config;
        if (meeting === null) return reasons;
        const isSpokenTo = !meeting.groupCall || env.memory.nextTurnIndex > FIRST_TURN;
        const waits = modeOf(env) === 'one-to-one' && env.memory.meeting.others.length > 0 && isSpokenTo;
        const others = [...reasons].filter((reason) => reason !== 'meeting');
        return new Set(waits ? others : [...others, 'meeting' as const]);
      },
    }),
    startCounting: assign({ countingSince: ({ context }) => context.env.now() }),
    stopCounting: assign({
      wait: ({ context }) => elapsed(context.wait, context.env.now() - context.countingSince),
      countingSince: ({ context }) => context.env.now(),
    }),
    reset: assign({
      wait: ({ context }) => fromStart(limitsOf(context), canPrompt(context)),
      countingSince: ({ context }) => context.env.now(),
    }),
    resetAfterSpeech: assign({
      wait: ({ context, event }) =>
        event.type === 'persona.idle' && event.counts
          ? afterSpeech(context.wait, limitsOf(context), canPrompt(context))
          : context.wait,
    }),
    notePrompt: assign({ wait: ({ context }) => afterPrompt(context.wait, limitsOf(context)) }),
    noteWarning: assign({ wait: ({ context }) => ({ ...context.wait, warned: 'yes' }) as const }),
    skip: assign({
      wait: ({ context, event }) =>
        event.type === 'silence.skip'
          ? skipTo(context.wait, event.timeoutMs, limitsOf(context), canPrompt(context))
          : context.wait,
    }),
    tellPrompt: tells({ type: 'silence.prompt' }),
    tellEnd: tells({ type: 'session.end', reason: 'user_inactivity' }),
    warn: performs({ type: 'signal.warning', code: 'inactivity', text: 'Session will end soon due to inactivity.' }),
  },
  delays: {
    untilPrompt: ({ context }) => context.wait.promptLeft ?? 0,
    untilEnd: ({ context }) => context.wait.endLeft ?? 0,
    untilWarning: ({ context }) => warningLeft(context.wait, limitsOf(context)) ?? 0,
  },
});

function limitsOf({ env }: Context) {
  return env.memory.settings.voiceDetection;
}

function canPrompt({ env }: Context): boolean {
  return prompts(env.config);
}
