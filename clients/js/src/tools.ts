import type { Emitter } from './emitter.ts';
import type { ClientEvents } from './events.ts';
import type { ToolCall, ToolCallHandler } from './tool-call.ts';

/** The handler under this name gets the calls of all tools without a handler of their own. */
export const ANY_TOOL = '*';

export interface ToolPorts {
  readonly events: Emitter<ClientEvents>;
  /** Sends the outcome of a client tool to the service. */
  readonly answer: (call: ToolCall, outcome: { readonly result?: unknown; readonly error?: string }) => void;
  /** Ms; for the execution time of client tools. */
  readonly now: () => number;
}

/** Runs the page's handlers for tool calls, and tells listeners. Each call starts once and ends once. */
export class Tools {
  readonly #ports: ToolPorts;
  readonly #handlers = new Map<string, ToolCallHandler>();
  /** Calls of this session, by id. */
  #calls = new Map<string, Running | 'over'>();

  constructor(ports: ToolPorts) {
    this.#ports = ports;
  }

  /** @returns a function that removes the handler. */
  register(toolName: string, handler: ToolCallHandler): () => void {
    this.#handlers.set(toolName, handler);
    return () => {
      if (this.#handlers.get(toolName) === handler) this.#handlers.delete(toolName);
    };
  }

  /** A new session: what handlers of the one before still return goes nowhere. */
  reset(): void {
    this.#calls = new Map();
  }

  take(phase: 'started' | 'completed' | 'failed', call: ToolCall): void {
    const { toolCallId } = call;
    // After an outage, the service repeats what it does not know to have arrived.
    if (phase === 'started' ? this.#calls.has(toolCallId) : this.#calls.get(toolCallId) === 'over') return;
    if (phase === 'started') this.#start(call);
    else if (phase === 'completed') this.#end(call, { result: call.result }, Date.parse(call.timestamp));
    else this.#end(call, { error: call.errorMessage ?? '' }, Date.parse(call.timestamp));
  }

  #start(call: ToolCall): void {
    const calls = this.#calls.set(call.toolCallId, { startedAt: Date.parse(call.timestamp) });
    this.#ports.events.emit('TOOL_CALL_STARTED', call);
    const onStart = this.#handlerOf(call)?.onStart;
    if (onStart === undefined) return;
    if (call.toolType !== 'client') return void report(() => onStart(call));
    const before = this.#ports.now();
    const end = (outcome: Outcome): void => {
      // The service may have given up on it, or the session may be another one.
      if (calls !== this.#calls || calls.get(call.toolCallId) === 'over') return;
      this.#ports.answer(call, outcome);
      // On the service's clock, like the other times of the call.
      this.#end(call, outcome, Date.parse(call.timestamp) + this.#ports.now() - before);
    };
    void Promise.resolve(call)
      .then(onStart)
      .then((result) => end(result === undefined ? {} : { result }))
      // Also of a result that cannot be sent: it is no JSON, or too long.
      .catch((error: unknown) => end({ error: error instanceof Error ? error.message : String(error) }));
  }

  /** @param endedAt on the service's clock, ms. */
  #end(call: ToolCall, outcome: Outcome, endedAt: number): void {
    const running = this.#calls.get(call.toolCallId);
    this.#calls.set(call.toolCallId, 'over');
    const handler = this.#handlerOf(call);
    const executionTime = typeof running === 'object' ? Math.max(0, endedAt - running.startedAt) : 0;
    const ended = { ...call, timestamp: isoTime(endedAt), executionTime };
    if (outcome.error === undefined) {
      const payload = { ...ended, result: outcome.result ?? null };
      this.#ports.events.emit('TOOL_CALL_COMPLETED', payload);
      report(() => handler?.onComplete?.(payload));
    } else {
      const payload = { ...ended, errorMessage: outcome.error };
      this.#ports.events.emit('TOOL_CALL_FAILED', payload);
      report(() => handler?.onFail?.(payload));
    }
  }

  #handlerOf({ toolName }: ToolCall): ToolCallHandler | undefined {
    return this.#handlers.get(toolName) ?? this.#handlers.get(ANY_TOOL);
  }
}

interface Running {
  /** On the service's clock, ms. */
  readonly startedAt: number;
}

interface Outcome {
  readonly result?: unknown;
  readonly error?: string;
}

/** @param ms NaN when the service sent no readable time. */
function isoTime(ms: number): string {
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
}

/** What a handler throws, now or later, is an error of the page. */
function report(run: () => unknown): void {
  Promise.resolve().then(run).catch(reportError);
}
