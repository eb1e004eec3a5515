import { fromStart, prompts } from './silence-rules.ts';
import { silenceSetup, type Reason } from './silence-actions.ts';

/** Measures the silence while nothing happens. The persona prompts first, and later the session ends. */
export const silenceMachine = silenceSetup.createMachine({
  id: 'silence',
  context: ({ input }) => ({
    env: input.env,
    reasons: new Set<Reason>(input.env.config.meeting === null ? ['not-ready'] : ['not-ready', 'meeting']),
    countingSince: 0,
    wait: fromStart(input.env.memory.settings.voiceDetection, prompts(input.env.config)),
  }),
  entry: 'join',
  initial: 'suspended',
  on: {
    'vad.suspected': { actions: { type: 'begin', params: { reason: 'user' } } },
    'vad.faded': { actions: { type: 'end', params: { reason: 'user' } } },
    /** It may be a cough: only words are activity of the user. Until that is known, the silence is not counted. */
    'vad.started': { actions: { type: 'begin', params: { reason: 'user' } } },
    'turn.ended': { actions: [{ type: 'end', params: { reason: 'user' } }, 'reset'] },
    'turn.dropped': { actions: { type: 'end', params: { reason: 'user' } } },
    'persona.busy': { actions: { type: 'begin', params: { reason: 'persona' } } },
    'persona.idle': { actions: [{ type: 'end', params: { reason: 'persona' } }, 'noteMeeting', 'resetAfterSpeech'] },
    'connection.ready': { actions: [{ type: 'end', params: { reason: 'not-ready' } }, 'reset'] },
    'connection.held': { actions: { type: 'begin', params: { reason: 'held' } } },
    'connection.back': { actions: { type: 'end', params: { reason: 'held' } } },
    'meeting.changed': { target: '.suspended', actions: ['noteMeeting', 'reset'] },
    'tool.begun': { actions: 'beginTool' },
    'tool.over': { actions: 'endTool' },
    'pause.begun': { actions: { type: 'begin', params: { reason: 'paused' } } },
    'pause.over': { actions: [{ type: 'end', params: { reason: 'paused' } }, 'reset'] },
    'silence.skip': { target: '.suspended', actions: 'skip' },
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
