import { assign, setup } from 'xstate';
import type { BusEvent } from '../kernel/inner-events.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
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

/** Why nobody counts the silence now. Each running tool is a reason of its own. */
type Reason = 'not-ready' | 'user' | 'persona' | 'held' | 'paused' | `tool ${string}`;

interface Context {
  readonly env: SessionEnvironment;
  readonly wait: SilenceWait;
  readonly reasons: ReadonlySet<Reason>;
  readonly countingSince: number;
}

/** Counts the silence while nothing happens: first the persona speaks up, later the session ends. */
export const silenceMachine = setup({
  types: {} as { context: Context; events: BusEvent; input: { env: SessionEnvironment } },
  guards: {
    nothingHappens: ({ context }) => context.reasons.size === 0,
    somethingHappens: ({ context }) => context.reasons.size > 0,
    promptIsOn: ({ context }) => context.wait.promptLeft !== null,
    endIsOn: ({ context }) => context.wait.endLeft !== null,
    warningIsOn: ({ context }) => warningLeft(context.wait, limitsOf(context)) !== null,
  },
  actions: {
    join: ({ context, self }) => context.env.join(self),
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
    tellPrompt: ({ context }) => context.env.tell({ type: 'silence.prompt' }),
    tellEnd: ({ context }) => context.env.tell({ type: 'session.end', reason: 'user_inactivity' }),
    warn: ({ context: { env } }) =>
      env.perform({ type: 'signal.warning', text: 'Session will end soon due to inactivity.' }),
  },
  delays: {
    untilPrompt: ({ context }) => context.wait.promptLeft ?? 0,
    untilEnd: ({ context }) => context.wait.endLeft ?? 0,
    untilWarning: ({ context }) => warningLeft(context.wait, limitsOf(context)) ?? 0,
  },
}).createMachine({
  id: 'silence',
  context: ({ input }) => ({
    env: input.env,
    reasons: new Set<Reason>(['not-ready']),
    countingSince: 0,
    wait: fromStart(input.env.memory.settings.voiceDetection, prompts(input.env.config)),
  }),
  entry: 'join',
  initial: 'suspended',
  on: {
    'vad.suspected': { actions: { type: 'begin', params: { reason: 'user' } } },
    'vad.faded': { actions: { type: 'end', params: { reason: 'user' } } },
    'vad.started': { actions: [{ type: 'begin', params: { reason: 'user' } }, 'reset'] },
    'turn.ended': { actions: [{ type: 'end', params: { reason: 'user' } }, 'reset'] },
    'turn.dropped': { actions: { type: 'end', params: { reason: 'user' } } },
    'persona.busy': { actions: { type: 'begin', params: { reason: 'persona' } } },
    'persona.idle': { actions: [{ type: 'end', params: { reason: 'persona' } }, 'resetAfterSpeech'] },
    'connection.ready': { actions: [{ type: 'end', params: { reason: 'not-ready' } }, 'reset'] },
    'connection.held': { actions: { type: 'begin', params: { reason: 'held' } } },
    'connection.back': { actions: { type: 'end', params: { reason: 'held' } } },
    'tool.begun': { actions: 'beginTool' },
    'tool.over': { actions: 'endTool' },
    'pause.begun': { actions: { type: 'begin', params: { reason: 'paused' } } },
    'pause.over': { actions: [{ type: 'end', params: { reason: 'paused' } }, 'reset'] },
    'silence.skip': { actions: 'skip' },
    'client.text': { target: '.suspended', actions: 'reset' },
    'client.talk': { target: '.suspended', actions: 'reset' },
    'client.talkChunk': { target: '.suspended', actions: 'reset' },
    'client.toolResult': { target: '.suspended', actions: 'reset' },
    'client.interrupt': { target: '.suspended', actions: 'reset' },
    'settings.changed': { target: '.suspended', actions: 'reset' },
    'session.ending': '.over',
  },
  states: {
    suspended: { always: { guard: 'nothingHappens', target: 'counting' } },
    counting: {
      type: 'parallel',
      entry: 'startCounting',
      exit: 'stopCounting',
      always: { guard: 'somethingHappens', target: 'suspended' },
      states: {
        prompt: {
          initial: 'undecided',
          states: {
            undecided: { always: { guard: 'promptIsOn', target: 'waiting' } },
            waiting: { after: { untilPrompt: { target: '#silence.prompting', actions: 'tellPrompt' } } },
          },
        },
        warning: {
          initial: 'undecided',
          states: {
            undecided: { always: { guard: 'warningIsOn', target: 'waiting' } },
            waiting: { after: { untilWarning: { target: 'given', actions: ['warn', 'noteWarning'] } } },
            given: {},
          },
        },
        end: {
          initial: 'undecided',
          states: {
            undecided: { always: { guard: 'endIsOn', target: 'waiting' } },
            waiting: { after: { untilEnd: { target: '#silence.over', actions: 'tellEnd' } } },
          },
        },
      },
    },
    prompting: { entry: 'notePrompt', always: 'suspended' },
    over: { type: 'final' },
  },
});

function limitsOf({ env }: Context) {
  return env.memory.settings.voiceDetection;
}

function canPrompt({ env }: Context): boolean {
  return prompts(env.config);
}
