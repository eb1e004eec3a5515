import type { SessionCommand } from '../../actors/commands.ts';
import type { SessionEvent } from '../../actors/events.ts';
import type { SteppingClock } from '../../actors/kernel/stepping-clock.ts';
import { retryKind } from '../../models/llm/index.ts';
import { ProviderError, type LanguageModel, type LlmEvent } from '../../models/ports.ts';
import { engineNow } from '../../runtime/clock.ts';

type Ask = Extract<SessionCommand, { type: 'llm.request' }>;

/** The rule-based stand-in answers at once: it gets the times of a quick service, the same in every run. */
const STAND_IN = 'offline';
const STAND_IN_FIRST_MS = 300;
const STAND_IN_PIECE_MS = 30;

interface Piece {
  readonly atMs: number;
  readonly event: SessionEvent;
}

/**
 * Asks a real LLM while the simulated clock stands still. Its answer then arrives with the delays that it had, or with
 * declared ones if it is the stand-in.
 */
export class SimulatedLlm {
  readonly #llm: LanguageModel;
  readonly #sessionId: string;
  readonly #clock: SteppingClock;
  readonly #dispatch: (event: SessionEvent) => void;
  readonly #signal: AbortSignal;
  readonly #cancelled = new Set<string>();
  #asked = 0;

  constructor(parts: {
    readonly llm: LanguageModel;
    readonly sessionId: string;
    readonly clock: SteppingClock;
    readonly dispatch: (event: SessionEvent) => void;
    readonly signal: AbortSignal;
  }) {
    this.#llm = parts.llm;
    this.#sessionId = parts.sessionId;
    this.#clock = parts.clock;
    this.#dispatch = parts.dispatch;
    this.#signal = parts.signal;
  }

  /** Events of the answer that have not been dispatched yet. */
  get isQuiet(): boolean {
    return this.#asked === 0;
  }

  /** @returns when the whole answer is known and its events are on the clock. Never rejects. */
  async ask(command: Ask): Promise<void> {
    this.#asked += 1;
    const pieces = await this.#answer(command);
    for (const [index, { atMs, event }] of pieces.entries())
      this.#clock.setTimeout(() => {
        if (index === pieces.length - 1) this.#asked -= 1;
        if (!this.#cancelled.has(command.requestId)) this.#dispatch(event);
      }, atMs);
  }

  cancel(requestId: string): void {
    this.#cancelled.add(requestId);
  }

  async #answer(command: Ask): Promise<readonly Piece[]> {
    const { requestId } = command;
    const pieces: Piece[] = [];
    const began = engineNow();
    let isStandIn = false;
    const now = (): number => (isStandIn ? STAND_IN_FIRST_MS + pieces.length * STAND_IN_PIECE_MS : engineNow() - began);
    try {
      const request = {
        messages: command.messages,
        tools: command.tools,
        sessionId: this.#sessionId,
        correlationId: command.correlationId,
        language: command.language,
        used: ({ provider }: { provider: string }) => (isStandIn = provider === STAND_IN),
        ...(command.mayBeEmpty && { mayBeEmpty: true }),
      };
      for await (const event of this.#llm.stream(request, this.#signal)) {
        const made = eventOf(requestId, event);
        if (made !== null) pieces.push({ atMs: now(), event: made });
      }
      pieces.push({ atMs: now(), event: { type: 'llm.done', requestId } });
    } catch (error) {
      const message = error instanceof ProviderError ? error.message : 'The language model failed.';
      const askAgain = retryKind(error, pieces.length > 0);
      pieces.push({
        atMs: now(),
        event: { type: 'llm.failed', requestId, message, ...(askAgain !== null && { askAgain }) },
      });
    }
    return pieces;
  }
}

function eventOf(requestId: string, event: LlmEvent): SessionEvent | null {
  switch (event.type) {
    case 'text':
      return { type: 'llm.text', requestId, text: event.text };
    case 'reasoning':
      return { type: 'llm.reasoning', requestId, text: event.text };
    case 'tool-call':
      return { type: 'llm.toolCall', requestId, call: event.call };
    case 'done':
      return null;
  }
}
