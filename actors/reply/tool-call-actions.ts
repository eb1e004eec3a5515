import { assign, sendParent } from 'xstate';
import type { BusEvent } from '../kernel/inner-events.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { sessionLanguages } from '../settings/session-languages.ts';
import { systemToolOutput } from '../tools/system-tools.ts';
import { FIRE_AND_FORGET_OUTPUT, toolErrorOutput, toolOutput, toolTimeoutMessage } from '../tools/tool-output.ts';
import { toolCallCompleted, toolCallFailed, toolCallStarted } from '../tools/tool-events.ts';
import {
  identityOf,
  NO_EFFECT,
  recordOf,
  type CallAnswer,
  type CallOutcome,
  type CheckedCall,
  type ToolCall,
} from './tool-call.ts';
import { tellRefusedCall } from './refused-call.ts';
import { performSystemCall } from './system-call.ts';
import { actorSetup, type ActorContext } from '../kernel/actor-setup.ts';

/**
 * Webhooks end after 60 s by contract. If the tool runner does not report that either, the call fails a little later.
 */
const SERVER_TOOL_MS = 70_000;
/** How long a result of a client tool is accepted if the reply does not wait for it. */
const LATE_RESULT_MS = 60_000;
const ENDED = 'The session ended.';

export type ToolCallEvent = BusEvent | { readonly type: 'call.go' };
/** To the reply: the LLM may continue. */
export type ToolCallAnswered = { readonly type: 'call.answered'; readonly answer: CallAnswer };

interface Context extends ActorContext {
  readonly call: ToolCall;
  readonly checked: CheckedCall;
  readonly startedAt: number;
}

/** The meaning of the names in the table of `tool-call-machine.ts`. */
export const toolCallSetup = actorSetup({
  types: {} as { context: Context; events: ToolCallEvent; input: { env: SessionEnvironment; call: ToolCall } },
}).extend({
  guards: {
    isRefused: ({ context }) => !context.checked.ok,
    isAwaitedClientTool: ({ context }) => kindOf(context) === 'client-awaited',
    isSentClientTool: ({ context }) => kindOf(context) === 'client-sent',
    isAwaitedServerTool: ({ context }) => kindOf(context) === 'server-awaited',
    isSentServerTool: ({ context }) => kindOf(context) === 'server-sent',
    isMine: ({ context, event }) =>
      ('callId' in event && event.callId === context.call.callId) ||
      (event.type === 'client.toolResult' && event.toolCallId === context.call.callId),
    isMyError: ({ context, event }) =>
      event.type === 'client.toolResult' && event.toolCallId === context.call.callId && event.error !== null,
  },
  actions: {
    announce: ({ context: { env, call, checked, startedAt } }) => {
      if (!checked.ok) return;
      if (checked.tool.disableInterruptions) env.tell({ type: 'persona.uninterruptible' });
      env.tell({ type: 'tool.begun', callId: call.callId });
      env.perform({
        type: 'message.send',
        message: toolCallStarted(identityOf(env, call, checked.tool, checked.args), env.iso(env.now()), env.ids.uuid()),
      });
      env.perform({
        type: 'report',
        entry: {
          kind: 'toolCall',
          call: recordOf(call, checked.tool, checked.args, startedAt, startedAt, { status: 'started' }),
        },
      });
    },
    tellRefused: ({ context: { env, call, checked, startedAt } }) => {
      if (!checked.ok) tellRefusedCall(env, call, checked, startedAt);
    },
    refuse: sendParent(({ context }): ToolCallAnswered => ({
      type: 'call.answered',
      answer: {
        callId: context.call.callId,
        output: toolErrorOutput(context.checked.ok ? '' : context.checked.problem),
        effect: NO_EFFECT,
      },
    })),
    run: ({ context: { env, call, checked } }) => {
      if (checked.ok)
        env.perform({
          type: 'tool.run',
          callId: call.callId,
          toolName: checked.tool.name,
          args: checked.args,
          correlationId: call.correlationId,
        });
    },
    answerSent: sendParent(({ context }): ToolCallAnswered => answer(context, FIRE_AND_FORGET_OUTPUT)),
    answerResult: sendParent(({ context, event }): ToolCallAnswered => answer(context, outputOf(event))),
    answerError: sendParent(({ context, event }): ToolCallAnswered =>
      answer(context, toolErrorOutput(messageOf(event))),
    ),
    answerTimeout: sendParent(({ context }): ToolCallAnswered =>
      answer(context, toolErrorOutput(timeoutMessage(context))),
    ),
    runSystemTool: sendParent(({ context }): ToolCallAnswered => {
      const { env, checked, call } = context;
      if (!checked.ok || checked.request === null) return answer(context, '');
      const output = systemToolOutput(checked.request, sessionLanguages(env.config));
      const effect = performSystemCall(env, checked.request, call.callId);
      complete(context, output, { result: output });
      return { type: 'call.answered', answer: { callId: call.callId, output, effect } };
    }),
    completeOnServer: ({ context, event }) => {
      if (event.type === 'tool.succeeded')
        complete(context, outputOf(event), { result: event.result, documentsAccessed: event.documentsAccessed });
    },
    /**
     * The client's own library reports the completion to its application. A second event from here would be a
     * duplicate.
     */
    recordClientResult: ({ context, event }) =>
      end(context, { status: 'completed', output: outputOf(event), documentsAccessed: null }),
    recordClientError: ({ context, event }) => end(context, { status: 'failed', message: messageOf(event) }),
    failOnServer: ({ context, event }) => fail(context, messageOf(event)),
    failByTimeout: ({ context }) => fail(context, timeoutMessage(context)),
    failByEnd: ({ context }) => fail(context, ENDED),
    unprotect: ({ context: { env, call, checked } }) => {
      env.tell({ type: 'tool.over', callId: call.callId });
      if (checked.ok && checked.tool.disableInterruptions) env.tell({ type: 'persona.interruptible' });
    },
    noteStart: assign({ startedAt: ({ context }) => context.env.now() }),
  },
  delays: {
    clientTimeout: ({ context }) =>
      context.checked.ok && context.checked.tool.kind === 'client'
        ? context.checked.tool.toolTimeoutSeconds * 1_000
        : 0,
    serverTimeout: SERVER_TOOL_MS,
    lateResult: LATE_RESULT_MS,
  },
});

function kindOf({ checked }: Context): 'client-awaited' | 'client-sent' | 'server-awaited' | 'server-sent' | 'system' {
  if (!checked.ok || checked.tool.kind === 'system') return 'system';
  if (checked.tool.kind === 'client') return checked.tool.awaitResult ? 'client-awaited' : 'client-sent';
  return checked.tool.kind === 'webhook' && !checked.tool.awaitResponse ? 'server-sent' : 'server-awaited';
}

function answer({ call }: Context, output: string): ToolCallAnswered {
  return { type: 'call.answered', answer: { callId: call.callId, output, effect: NO_EFFECT } };
}

function outputOf(event: ToolCallEvent): string {
  return event.type === 'tool.succeeded'
    ? toolOutput(event.output)
    : event.type === 'client.toolResult'
      ? toolOutput(event.result)
      : '';
}

function messageOf(event: ToolCallEvent): string {
  return event.type === 'tool.failed' ? event.message : event.type === 'client.toolResult' ? (event.error ?? '') : '';
}

function timeoutMessage({ checked }: Context): string {
  return checked.ok && checked.tool.kind === 'client'
    ? toolTimeoutMessage(checked.tool.toolTimeoutSeconds)
    : 'the tool did not answer in time';
}

function complete(
  context: Context,
  output: string,
  outcome: { result: unknown; documentsAccessed?: readonly string[] },
): void {
  const { env, call, checked } = context;
  if (!checked.ok) return;
  env.perform({
    type: 'message.send',
    message: toolCallCompleted(
      identityOf(env, call, checked.tool, checked.args),
      env.iso(env.now()),
      env.ids.uuid(),
      outcome,
    ),
  });
  end(context, { status: 'completed', output, documentsAccessed: outcome.documentsAccessed ?? null });
}

function fail(context: Context, message: string): void {
  const { env, call, checked } = context;
  if (!checked.ok) return;
  env.perform({
    type: 'message.send',
    message: toolCallFailed(
      identityOf(env, call, checked.tool, checked.args),
      env.iso(env.now()),
      env.ids.uuid(),
      message,
    ),
  });
  end(context, { status: 'failed', message });
}

function end({ env, call, checked, startedAt }: Context, outcome: CallOutcome): void {
  if (checked.ok)
    env.perform({
      type: 'report',
      entry: { kind: 'toolCall', call: recordOf(call, checked.tool, checked.args, startedAt, env.now(), outcome) },
    });
}
