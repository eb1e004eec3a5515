import type { SessionCommand } from '../../actors/commands.ts';
import type { SessionEvent } from '../../actors/events.ts';
import type { SessionClock } from '../../actors/kernel/clock.ts';

/** What a tool answers in a simulated conversation. */
export type MockedAnswer = { readonly output: string } | { readonly error: string };

/** Answers for every tool but those of the system. Never rejects. */
export type RunTool = (name: string, args: Readonly<Record<string, unknown>>) => Promise<MockedAnswer>;

type Message = Extract<SessionCommand, { type: 'message.send' }>['message'];

/** A tool that answers from a test takes as long as a quick service. */
const TOOL_MS = 300;

/** Stands in for webhooks and for tools of the client. Whatever it does, the answer arrives as an event. */
export class MockedTools {
  readonly #run: RunTool;
  readonly #clock: SessionClock;
  readonly #dispatch: (event: SessionEvent) => void;
  /** Answers that are on their way. */
  #awaited = 0;

  constructor(run: RunTool, clock: SessionClock, dispatch: (event: SessionEvent) => void) {
    this.#run = run;
    this.#clock = clock;
    this.#dispatch = dispatch;
  }

  get isQuiet(): boolean {
    return this.#awaited === 0;
  }

  /** Resolves when the answer is known and on the clock. Never rejects. */
  run({ callId, toolName, args }: Extract<SessionCommand, { type: 'tool.run' }>): Promise<void> {
    return this.#answer(toolName, args, (answer) =>
      'error' in answer
        ? { type: 'tool.failed', callId, message: answer.error }
        : { type: 'tool.succeeded', callId, output: answer.output, result: answer.output },
    );
  }

  /** @param message what the client is told. @returns null: it asks nothing of the client. */
  ask(message: Message): Promise<void> | null {
    if (message.messageType !== 'toolCallStarted' || message.data.tool_type !== 'client') return null;
    const { tool_call_id: toolCallId, tool_name: name, arguments: args } = message.data;
    return this.#answer(name, args as Readonly<Record<string, unknown>>, (answer) => ({
      type: 'client.toolResult',
      toolCallId,
      result: 'output' in answer ? answer.output : null,
      error: 'error' in answer ? answer.error : null,
    }));
  }

  async #answer(
    name: string,
    args: Readonly<Record<string, unknown>>,
    eventOf: (answer: MockedAnswer) => SessionEvent,
  ): Promise<void> {
    this.#awaited += 1;
    const answer = await this.#run(name, args);
    this.#clock.setTimeout(() => {
      this.#awaited -= 1;
      this.#dispatch(eventOf(answer));
    }, TOOL_MS);
  }
}
