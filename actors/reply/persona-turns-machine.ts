import { and, stateIn } from 'xstate';
import { EMPTY_TALK_QUEUE } from '../talk-stream/talk-queue.ts';
import { NO_TURN } from './current-turn.ts';
import { personaTurnsSetup } from './persona-turns-actions.ts';
import type { TurnControl } from './reply-events.ts';

const INTERRUPT: TurnControl = { type: 'turn.interrupt' };
const INTERRUPT_CURRENT = { type: 'control', params: { control: INTERRUPT } } as const;
const TAKE_TEXT = ['cancelPreemptive', 'withdrawGoodbye', 'enterText'] as const;
const STOP_ALL = ['forgetSpeech', INTERRUPT_CURRENT, 'dropTalk'] as const;

/**
 * The persona's turns, one at a time. Answers to the user come first, then prompts of the service, then talk streams of
 * the client. Each reply or talk stream is an actor. This one starts it, stops it, and holds it back while the floor is
 * not free.
 */
export const personaTurnsMachine = personaTurnsSetup.createMachine({
  id: 'personaTurns',
  type: 'parallel',
  context: ({ input }) => ({
    env: input.env,
    current: NO_TURN,
    preemptive: null,
    turnQueue: [],
    talk: EMPTY_TALK_QUEUE,
    uninterruptibles: 0,
    spawned: 0,
    audible: null,
  }),
  entry: 'join',
  on: {
    'persona.uninterruptible': { actions: 'countUninterruptible' },
    'persona.interruptible': { actions: 'countUninterruptible' },
    'silence.prompt': { guard: 'isIdle', actions: { type: 'enterAsk', params: { kind: 'prompt' } } },
    'llm.speaks': { actions: { type: 'enterAsk', params: { kind: 'own' } } },
    'tool.lateResultDue': { guard: 'isIdle', actions: { type: 'enterAsk', params: { kind: 'result' } } },
    'turn.likelyOver': { guard: 'canGeneratePreemptively', actions: ['cancelPreemptive', 'generatePreemptively'] },
    'turn.resumed': { actions: 'cancelPreemptive' },
    'turn.dropped': { actions: 'cancelPreemptive' },
    /**
     * Silence at once, but nothing is lost yet, whatever the evidence: partial text may prove to be noise. A message of
     * the user ends it for good. If there was none, the floor is free, and it goes on.
     */
    'floor.yield': { actions: { type: 'control', params: { control: { type: 'turn.suspend' } } } },
    'turn.certain': {
      guard: 'isInterruptible',
      actions: [{ type: 'control', params: { control: INTERRUPT } }, 'dropTalk'],
    },
    'client.text': [
      { guard: 'isInterruptible', actions: [...TAKE_TEXT, INTERRUPT_CURRENT, 'dropTalk'] },
      { actions: [...TAKE_TEXT] },
    ],
    'client.interrupt': { guard: 'isInterruptible', actions: [...STOP_ALL] },
    'client.talk': { actions: ['acceptTalk', 'armTalkClock', 'feedTalk'] },
    'client.talkChunk': { actions: ['acceptTalk', 'armTalkClock', 'feedTalk'] },
    'talk.idle': { actions: ['closeIdleTalk', 'armTalkClock', 'feedTalk'] },
  },
  states: {
    floor: {
      initial: 'free',
      states: {
        free: {
          on: {
            'floor.taken': [
              {
                guard: 'isInterruptible',
                target: 'taken',
                actions: { type: 'control', params: { control: { type: 'turn.shut', by: 'user' } } },
              },
              'taken',
            ],
          },
        },
        taken: {
          on: {
            /** The user has been speaking since the persona was uninterruptible. */
            'persona.interruptible': {
              guard: 'isLastUninterruptible',
              // Counted here, too: the machine itself gets no event that one of its regions handles.
              actions: [
                'countUninterruptible',
                { type: 'control', params: { control: { type: 'turn.shut', by: 'user' } } },
              ],
            },
            'floor.free': [
              {
                guard: 'isLive',
                target: 'free',
                actions: { type: 'control', params: { control: { type: 'turn.open' } } },
              },
              'free',
            ],
          },
        },
      },
    },
    link: {
      initial: 'away',
      states: {
        away: { on: { 'connection.ready': 'live' } },
        live: {
          on: {
            'connection.held': [
              {
                guard: 'wasCutOff',
                target: 'held',
                actions: ['cancelPreemptive', { type: 'control', params: { control: INTERRUPT } }, 'dropTalk'],
              },
              /** A turn of which nothing was heard waits until the client answers again. */
              {
                target: 'held',
                actions: [
                  'cancelPreemptive',
                  { type: 'control', params: { control: { type: 'turn.suspend' } } },
                  { type: 'control', params: { control: { type: 'turn.shut', by: 'connection' } } },
                ],
              },
            ],
          },
        },
        held: {
          on: {
            'connection.back': [
              {
                guard: 'isFloorFree',
                target: 'live',
                actions: { type: 'control', params: { control: { type: 'turn.open' } } },
              },
              'live',
            ],
          },
        },
      },
    },
    greeting: {
      initial: 'due',
      states: {
        due: {
          on: {
            'connection.ready': { guard: 'isGreetingTime', target: 'done', actions: 'enterGreeting' },
            'meeting.changed': {
              guard: and([stateIn({ link: 'live' }), 'isGreetingTime']),
              target: 'done',
              actions: 'enterGreeting',
            },
            /** Somebody spoke first. */
            'turn.ended': 'done',
          },
        },
        done: {},
      },
    },
    voice: {
      initial: 'silent',
      states: {
        silent: { on: { 'persona.audible': 'audible' } },
        audible: { entry: 'noteAudible', exit: 'noteInaudible', on: { 'persona.inaudible': 'silent' } },
      },
    },
    /** Passthrough: speech that the client makes itself. */
    passthrough: {
      initial: 'off',
      states: {
        off: { on: { 'passthrough.started': { target: 'on', actions: 'tellAudible' } } },
        on: {
          exit: 'tellInaudible',
          on: {
            'passthrough.finished': 'off',
            'floor.yield': { target: 'off', actions: 'cutPassthrough' },
            // As always, and the passthrough is cut. The machine itself gets no event that a region handles.
            'client.text': [
              {
                guard: 'isInterruptible',
                target: 'off',
                actions: ['cutPassthrough', ...TAKE_TEXT, INTERRUPT_CURRENT, 'dropTalk'],
              },
              { target: 'off', actions: ['cutPassthrough', ...TAKE_TEXT] },
            ],
            'client.interrupt': [
              { guard: 'isInterruptible', target: 'off', actions: ['cutPassthrough', ...STOP_ALL] },
              { target: 'off', actions: 'cutPassthrough' },
            ],
            'session.ending': { target: 'off', actions: 'cutPassthrough' },
          },
        },
      },
    },
    work: {
      initial: 'idle',
      states: {
        idle: {
          always: [
            {
              guard: and(['hasWork', 'isFloorFree']),
              target: 'busy',
              actions: { type: 'startNext', params: { open: true } },
            },
            { guard: 'hasWork', target: 'busy', actions: { type: 'startNext', params: { open: false } } },
          ],
          on: {
            'turn.ended': [
              { guard: 'isPreemptiveForThis', target: 'busy.going', actions: ['confirmPreemptive', 'tellBegun'] },
              { actions: ['cancelPreemptive', 'withdrawGoodbye', 'enterTurn'] },
            ],
            'turn.corrected': [
              { guard: 'saysSomethingElse', actions: ['cancelPreemptive', 'enterAnew'] },
              { actions: 'correctPublished' },
            ],
            'session.ending': { target: 'closed', actions: ['publishWaiting', 'forgetAll', 'cancelPreemptive'] },
          },
        },
        busy: {
          initial: 'starting',
          on: {
            'turn.ended': [
              {
                guard: 'isInterruptible',
                actions: [
                  'cancelPreemptive',
                  'enterTurn',
                  { type: 'control', params: { control: INTERRUPT } },
                  'dropTalk',
                ],
              },
              { actions: ['cancelPreemptive', 'withdrawGoodbye', 'enterTurn'] },
            ],
            'turn.corrected': [
              { guard: 'isStillWaiting', actions: 'correctWaiting' },
              { guard: 'isAnswerUnheard', actions: ['enterCorrected', INTERRUPT_CURRENT] },
              {
                guard: and(['saysSomethingElse', 'isInterruptible']),
                actions: ['enterAnew', INTERRUPT_CURRENT, 'dropTalk'],
              },
              { guard: 'saysSomethingElse', actions: 'enterAnew' },
              { actions: 'correctPublished' },
            ],
            'turn.left': { target: 'idle', actions: 'leave' },
            'session.ending': {
              target: 'closing',
              actions: [
                'publishWaiting',
                'forgetAll',
                'cancelPreemptive',
                { type: 'control', params: { control: INTERRUPT } },
              ],
            },
          },
          states: {
            starting: {
              always: { guard: 'isAtSomething', target: 'going', actions: ['tellBegun', 'feedTalk'] },
              on: { 'turnQueue.done': '#personaTurns.work.idle' },
            },
            going: {},
          },
        },
        closing: { on: { 'turn.left': { target: 'closed', actions: 'leave' } } },
        closed: { entry: 'tellSettled' },
      },
    },
  },
});
