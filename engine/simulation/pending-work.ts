import type { SessionCommand } from '../../actors/commands.ts';
import type { SessionEvent } from '../../actors/events.ts';
import { engineNow } from '../../runtime/clock.ts';

/** The persona's pending work, seen from outside: LLM requests, tool calls, and unfinished sentences. */
export class PendingWork {
  readonly #questions = new Set<string>();
  readonly #sentences = new Set<string>();
  #tools = 0;
  #busyAt = engineNow();
  /** Of the answer to the last line. Null: nothing is heard of it yet. */
  #heardSince: number | null = null;
  /** What is said before a line was understood is no answer to it. The greeting answers nothing. */
  #line: 'understood' | 'being said' = 'understood';

  /** A new line begins. */
  beginAnswer(): void {
    this.#heardSince = null;
    this.#line = 'being said';
  }

  /** The words of the line are known: what begins from now on answers it. */
  understood(): void {
    this.#line = 'understood';
  }

  get isAnswering(): boolean {
    return this.#heardSince !== null;
  }

  /** For how long the answer has been heard, ms. */
  spokenMs(): number {
    return this.#heardSince === null ? 0 : engineNow() - this.#heardSince;
  }

  /** For how long the persona has been doing nothing, ms. */
  quietMs(): number {
    if (this.#questions.size > 0 || this.#sentences.size > 0 || this.#tools > 0) this.#busyAt = engineNow();
    return engineNow() - this.#busyAt;
  }

  command(command: SessionCommand): void {
    if (command.type === 'llm.request') this.#questions.add(command.requestId);
    else if (command.type === 'llm.cancel') this.#questions.delete(command.requestId);
    else if (command.type === 'speech.say') this.#sentences.add(command.segmentId);
    else return;
    this.#busyAt = engineNow();
  }

  event(event: SessionEvent): void {
    switch (event.type) {
      case 'llm.done':
      case 'llm.failed':
        this.#questions.delete(event.requestId);
        break;
      case 'speech.started':
        if (this.#line === 'understood') this.#heardSince ??= engineNow();
        break;
      case 'speech.finished':
      case 'speech.failed':
        this.#sentences.delete(event.segmentId);
        break;
      case 'speech.cut':
        this.#sentences.clear();
        // What was cut is no answer to what cut it.
        this.#heardSince = null;
        break;
      default:
        return;
    }
    this.#busyAt = engineNow();
  }

  /** @param tool null: there is none. */
  async during(tool: Promise<void> | null): Promise<void> {
    if (tool === null) return;
    this.#tools += 1;
    await tool;
    this.#tools -= 1;
    this.#busyAt = engineNow();
  }
}
