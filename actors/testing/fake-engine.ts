import type { SessionCommand } from '../commands.ts';
import type { SessionEvent } from '../events.ts';
import type { RetryKind, LlmMessage, LlmToolCall, TimedUnit } from '../../models/ports.ts';
import type { SteppingClock } from '../kernel/stepping-clock.ts';

/** What the fake LLM does with a question: words and calls, in order. */
export interface FakeAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly args?: unknown }[];
  readonly reasoning?: string;
  readonly fails?: string;
  /** Only with `fails`: the engine says that asking again may help. */
  readonly askAgain?: RetryKind;
  /** After its words and calls, the stream breaks off. */
  readonly breaksOff?: boolean;
  /** To the first word. */
  readonly afterMs?: number;
}

export interface Question {
  readonly at: number;
  readonly messages: readonly LlmMessage[];
  readonly tools: readonly string[];
  readonly correlationId: string;
}

export interface EngineDelays {
  readonly llmFirstTokenMs: number;
  readonly llmTokenMs: number;
  readonly voiceFirstAudioMs: number;
  readonly voiceMsPerLetter: number;
  /** From the end of the utterance to its final text. */
  readonly finalMs: number;
  readonly toolMs: number;
}

export const ENGINE_DELAYS: EngineDelays = {
  llmFirstTokenMs: 200,
  llmTokenMs: 20,
  voiceFirstAudioMs: 60,
  voiceMsPerLetter: 60,
  finalMs: 120,
  toolMs: 300,
};

interface Segment {
  readonly id: string;
  readonly words: readonly TimedUnit[];
  readonly durationMs: number;
  readyAt: number;
  startedAt: number | null;
}

/**
 * Stands for the engine: carries commands out after declared delays, on the same clock. The voice plays one segment
 * after the other, and knows when it was cut; the LLM says what the test tells it to.
 */
export class FakeEngine {
  readonly clock: SteppingClock;
  readonly delays: EngineDelays;
  readonly questions: Question[] = [];
  /** Time in which the persona was audible, and at which level. */
  readonly heard: { from: number; to: number; text: string }[] = [];
  answer: (question: Question, index: number) => FakeAnswer = () => ({ text: 'All right.' });
  /** Text that the recognizer will give for the utterance that is going on. */
  finalText = '';
  language: string | null = 'en';
  /** How sure the recognizer says it is; null: it does not say. */
  confidence: number | null = null;
  toolOutcome: (toolName: string) => { readonly output?: string; readonly error?: string; readonly afterMs?: number } =
    () => ({ output: '{"ok":true}' });
  readonly #dispatch: (event: SessionEvent) => void;
  #segments: Segment[] = [];
  #generation = 0;
  #prepared: { readonly text: string; readonly at: number } | null = null;
  readonly #cancelled = new Set<string>();

  constructor(clock: SteppingClock, dispatch: (event: SessionEvent) => void, delays: Partial<EngineDelays> = {}) {
    this.clock = clock;
    this.#dispatch = dispatch;
    this.delays = { ...ENGINE_DELAYS, ...delays };
  }

  perform(command: SessionCommand): void {
    switch (command.type) {
      case 'llm.request':
        return this.#think(command);
      case 'llm.cancel':
        this.#cancelled.add(command.requestId);
        return;
      case 'speech.prepare':
        this.#prepared = { text: command.text, at: this.clock.now() };
        return;
      case 'speech.say':
        return this.#say(command.segmentId, command.text);
      case 'speech.cut':
        return this.#cut();
      case 'stt.finish': {
        const text = this.finalText;
        this.finalText = '';
        this.#later(this.delays.finalMs, () =>
          this.#dispatch({
            type: 'stt.final',
            text,
            language: text === '' ? null : this.language,
            ...(this.confidence !== null && { confidence: this.confidence }),
          }),
        );
        return;
      }
      case 'stt.reset':
        this.finalText = '';
        return;
      case 'tool.run': {
        const outcome = this.toolOutcome(command.toolName);
        this.#later(outcome.afterMs ?? this.delays.toolMs, () =>
          this.#dispatch(
            outcome.error === undefined
              ? {
                  type: 'tool.succeeded',
                  callId: command.callId,
                  output: outcome.output ?? '',
                  result: outcome.output ?? null,
                }
              : { type: 'tool.failed', callId: command.callId, message: outcome.error },
          ),
        );
        return;
      }
      default:
        return;
    }
  }

  /** A word reaches the recognizer. */
  hear(word: string): void {
    this.finalText = this.finalText === '' ? word : `${this.finalText} ${word}`;
  }

  get isSpeaking(): boolean {
    return this.#segments.some((segment) => segment.startedAt !== null);
  }

  #think(command: Extract<SessionCommand, { type: 'llm.request' }>): void {
    const question = {
      at: this.clock.now(),
      messages: command.messages,
      tools: command.tools.map((tool) => tool.name),
      correlationId: command.correlationId,
    };
    this.questions.push(question);
    const answer = this.answer(question, this.questions.length - 1);
    const { requestId } = command;
    let at = answer.afterMs ?? this.delays.llmFirstTokenMs;
    const send = (event: SessionEvent) =>
      this.#later(at, () => (this.#cancelled.has(requestId) ? undefined : this.#dispatch(event)));
    const { fails, askAgain } = answer;
    if (fails !== undefined)
      return send({ type: 'llm.failed', requestId, message: fails, ...(askAgain !== undefined && { askAgain }) });
    if (answer.reasoning !== undefined) send({ type: 'llm.reasoning', requestId, text: answer.reasoning });
    for (const word of (answer.text ?? '').split(/(?<=\s)/)) {
      if (word !== '') send({ type: 'llm.text', requestId, text: word });
      at += this.delays.llmTokenMs;
    }
    for (const [index, call] of (answer.calls ?? []).entries()) {
      const made: LlmToolCall = { id: `call_${index}`, name: call.name, arguments: JSON.stringify(call.args ?? {}) };
      send({ type: 'llm.toolCall', requestId, call: made });
    }
    if (answer.breaksOff === true)
      send({ type: 'llm.failed', requestId, message: 'It broke off.', askAgain: 'for the rest' });
    else send({ type: 'llm.done', requestId });
  }

  #say(id: string, text: string): void {
    const words: TimedUnit[] = [];
    let at = 0;
    for (const word of text.split(/\s+/)) {
      const ms = (word.length + 1) * this.delays.voiceMsPerLetter;
      words.push({ text: word, startMs: at, endMs: at + ms - this.delays.voiceMsPerLetter });
      at += ms;
    }
    const prepared = this.#prepared?.text === text ? this.clock.now() - this.#prepared.at : 0;
    const firstAudioMs = Math.max(0, this.delays.voiceFirstAudioMs - prepared);
    this.#prepared = null;
    const segment: Segment = {
      id,
      words,
      durationMs: at,
      readyAt: this.clock.now() + firstAudioMs,
      startedAt: null,
    };
    this.#segments.push(segment);
    const generation = this.#generation;
    this.#later(firstAudioMs, () => {
      if (generation !== this.#generation) return;
      this.#dispatch({ type: 'speech.firstAudio', segmentId: id });
      this.#dispatch({ type: 'speech.timing', segmentId: id, words, durationMs: segment.durationMs, complete: true });
      this.#playNext();
    });
  }

  #playNext(): void {
    const [next] = this.#segments;
    if (next === undefined || next.startedAt !== null || next.readyAt > this.clock.now()) return;
    next.startedAt = this.clock.now();
    this.#dispatch({ type: 'speech.started', segmentId: next.id });
    const generation = this.#generation;
    this.#later(next.durationMs, () => {
      if (generation !== this.#generation) return;
      this.#segments.shift();
      this.heard.push({
        from: next.startedAt ?? 0,
        to: this.clock.now(),
        text: next.words.map((word) => word.text).join(' '),
      });
      this.#dispatch({ type: 'speech.finished', segmentId: next.id });
      this.#playNext();
    });
  }

  #cut(): void {
    this.#prepared = null;
    const [playing] = this.#segments;
    const startedAt = playing?.startedAt ?? null;
    const playedMs = startedAt === null ? 0 : this.clock.now() - startedAt;
    this.#segments = [];
    this.#generation += 1;
    if (startedAt !== null && playing !== undefined) {
      this.heard.push({
        from: startedAt,
        to: this.clock.now(),
        text: playing.words
          .filter((word) => word.startMs < playedMs)
          .map((word) => word.text)
          .join(' '),
      });
    }
    this.#dispatch({ type: 'speech.cut', segmentId: startedAt === null ? null : (playing?.id ?? null), playedMs });
  }

  #later(ms: number, work: () => void): void {
    this.clock.setTimeout(work, ms);
  }
}
