import { checkCall } from './tool-call.ts';
import { toolCallSetup } from './tool-call-actions.ts';

/**
 * One tool call: announced, run, ended exactly once. An interruption does not end it. So a call is never lost, and
 * never made twice.
 */
export const toolCallMachine = toolCallSetup.createMachine({
  id: 'toolCall',
  context: ({ input }) => ({
    env: input.env,
    call: input.call,
    checked: checkCall(input.call, input.env),
    startedAt: input.env.now(),
  }),
  entry: 'join',
  initial: 'checked',
  on: { 'session.ending': { target: '.over', actions: 'failByEnd' } },
  states: {
    checked: { always: [{ guard: 'isRefused', target: 'unfit' }, 'announced'] },
    unfit: { on: { 'call.go': 'refused', 'session.ending': 'refused' } },
    announced: {
      entry: ['noteStart', 'announce'],
      on: {
        'call.go': [
          { guard: 'isAwaitedClientTool', target: 'clientAwaited' },
          { guard: 'isSentClientTool', target: 'clientSent', actions: 'answerSent' },
          { guard: 'isAwaitedServerTool', target: 'serverAwaited' },
          { guard: 'isSentServerTool', target: 'serverSent', actions: 'answerSent' },
          { target: 'over', actions: 'runSystemTool' },
        ],
      },
    },
    clientAwaited: {
      after: { clientTimeout: { target: 'over', actions: ['failByTimeout', 'answerTimeout'] } },
      on: {
        'client.toolResult': [
          { guard: 'isMyError', target: 'over', actions: ['recordClientError', 'answerError'] },
          { guard: 'isMine', target: 'over', actions: ['recordClientResult', 'answerResult'] },
        ],
      },
    },
    /** The reply does not wait. A result that comes is recorded. */
    clientSent: {
      entry: 'unprotect',
      after: { lateResult: 'noted' },
      on: {
        'session.ending': 'noted',
        'client.toolResult': [
          { guard: 'isMyError', target: 'noted', actions: 'recordClientError' },
          { guard: 'isMine', target: 'noted', actions: 'recordClientResult' },
        ],
      },
    },
    serverAwaited: {
      entry: 'run',
      after: { serverTimeout: { target: 'over', actions: ['failByTimeout', 'answerTimeout'] } },
      on: {
        'tool.succeeded': { guard: 'isMine', target: 'over', actions: ['completeOnServer', 'answerResult'] },
        'tool.failed': { guard: 'isMine', target: 'over', actions: ['failOnServer', 'answerError'] },
      },
    },
    serverSent: {
      entry: 'run',
      after: { serverTimeout: { target: 'over', actions: 'failByTimeout' } },
      on: {
        'tool.succeeded': { guard: 'isMine', target: 'over', actions: 'completeOnServer' },
        'tool.failed': { guard: 'isMine', target: 'over', actions: 'failOnServer' },
      },
    },
    refused: { type: 'final', entry: ['tellRefused', 'refuse'] },
    noted: { type: 'final' },
    over: { type: 'final', entry: 'unprotect' },
  },
});
