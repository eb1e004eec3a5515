import type { ServerMessage, ToolCallEvent } from '../messages.ts';
import type { ToolDefinition } from '../session-config.ts';
import { truncateUtf8 } from './tool-output.ts';

/** The three messages that tell a client about a tool call. */

/** Results above this are cut in events: a data-channel message stays below 16 KiB (contract). */
export const EVENT_RESULT_MAX_BYTES = 12 * 1024;
const EVENT_ERROR_MAX_BYTES = 2 * 1024;

/** What stays the same over all events of one call. */
export interface ToolCallIdentity {
  readonly sessionId: string;
  readonly callId: string;
  readonly tool: Pick<ToolDefinition, 'name' | 'kind'>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly correlationId: string;
  /** ISO time of the user action that led here. */
  readonly userActionTime: string;
}

/** @param time of this event, ISO. @param eventId UUID of this event alone. */
export function toolCallStarted(call: ToolCallIdentity, time: string, eventId: string): ServerMessage {
  return { messageType: 'toolCallStarted', data: common(call, time, eventId) };
}

export function toolCallCompleted(
  call: ToolCallIdentity,
  time: string,
  eventId: string,
  outcome: { readonly result: unknown; readonly documentsAccessed?: readonly string[] },
): ServerMessage {
  return {
    messageType: 'toolCallCompleted',
    data: {
      ...common(call, time, eventId),
      // The key must be there even when there is nothing: clients tell the event by it.
      result: bounded(outcome.result),
      ...(call.tool.kind === 'rag' ? { documents_accessed: outcome.documentsAccessed ?? [] } : {}),
    },
  };
}

export function toolCallFailed(call: ToolCallIdentity, time: string, eventId: string, message: string): ServerMessage {
  return {
    messageType: 'toolCallFailed',
    data: { ...common(call, time, eventId), error_message: truncateUtf8(message, EVENT_ERROR_MAX_BYTES) },
  };
}

function common(call: ToolCallIdentity, time: string, eventId: string): ToolCallEvent {
  return {
    event_uid: eventId,
    session_id: call.sessionId,
    tool_call_id: call.callId,
    tool_name: call.tool.name,
    tool_type: toolType(call.tool.kind),
    tool_subtype: toolSubtype(call.tool.kind),
    arguments: boundedArguments(call.args, call.tool.kind),
    timestamp: time,
    timestamp_user_action: call.userActionTime,
    user_action_correlation_id: call.correlationId,
    used_outside_engine: true,
  };
}

export function toolType(kind: ToolDefinition['kind']): 'client' | 'server' | 'system' {
  return kind === 'client' || kind === 'system' ? kind : 'server';
}

export function toolSubtype(kind: ToolDefinition['kind']): 'rag' | 'webhook' | null {
  return kind === 'rag' || kind === 'webhook' ? kind : null;
}

/** Bounded as it is sent: quotes and control characters grow when they are written as JSON. */
function bounded(result: unknown): unknown {
  if (result === undefined) return null;
  const encoded = JSON.stringify(result);
  if (Buffer.byteLength(encoded) <= EVENT_RESULT_MAX_BYTES) return result;
  let text = truncateUtf8(typeof result === 'string' ? result : encoded, EVENT_RESULT_MAX_BYTES);
  for (let over = excess(text); over > 0; over = excess(text))
    text = truncateUtf8(text, Buffer.byteLength(text) - Math.max(16, Math.ceil(over / 2)));
  return text;
}

function excess(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - EVENT_RESULT_MAX_BYTES;
}

/**
 * A client tool needs its arguments whole to run, whatever their size; for the others they are information, and the
 * result shares the message with them.
 */
function boundedArguments(
  args: Readonly<Record<string, unknown>>,
  kind: ToolDefinition['kind'],
): Readonly<Record<string, unknown>> {
  const maxBytes = 3 * 1024;
  return kind === 'client' || Buffer.byteLength(JSON.stringify(args)) <= maxBytes
    ? args
    : { truncated: truncateUtf8(JSON.stringify(args), maxBytes) };
}
