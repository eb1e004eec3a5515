import type { RawMessageStreamEvent, Message } from '@anthropic-ai/sdk/resources/messages';
import type { LlmEvent, LlmToolCall } from '../../ports.ts';
import type { Thought } from '../anthropic-thinking.ts';
import { refusalInFrame } from '../request/refusal.ts';
import { BrokenAnswerError, RefusedError, type AnswerEnd, type AnswerReader } from './answer-reader.ts';
import { CallAssembly } from './call-assembly.ts';
import type { Frame } from './frames.ts';
import { LeakedCalls } from './leaked-calls.ts';

/** Reads the events of the Messages API (https://platform.claude.com/docs/en/build-with-claude/streaming). */
export class AnthropicReader implements AnswerReader {
  readonly #calls: CallAssembly;
  readonly #leaks: LeakedCalls;
  readonly #leaked: LlmToolCall[] = [];
  readonly #thoughts = new Map<number, Thought>();
  readonly #mayBeEmpty: boolean;
  readonly #remember: (calls: readonly LlmToolCall[], thoughts: readonly Thought[]) => void;
  #stopReason: string | null = null;
  #saidStop = false;
  #spoke = false;
  unread = 0;

  /** @param remember called at the end with the thoughts before the calls. */
  constructor(
    names: readonly string[],
    mayBeEmpty: boolean,
    remember: (calls: readonly LlmToolCall[], thoughts: readonly Thought[]) => void,
  ) {
    this.#calls = new CallAssembly(names);
    this.#leaks = new LeakedCalls(names);
    this.#mayBeEmpty = mayBeEmpty;
    this.#remember = remember;
  }

  get isComplete(): boolean {
    return this.#stopReason !== null;
  }

  take(frame: Frame): readonly LlmEvent[] | null {
    const refusal = refusalInFrame(frame);
    if (refusal !== null) throw new RefusedError(refusal);
    if (frame['type'] === 'message' && Array.isArray(frame['content']))
      return this.#takeWhole(frame as unknown as Message);
    return this.#takePiece(frame as unknown as RawMessageStreamEvent);
  }

  /** One body where a stream was asked for. */
  #takeWhole({ content, stop_reason }: Message): readonly LlmEvent[] {
    const events = content.flatMap(
      (block, index) => this.#takePiece({ type: 'content_block_start', index, content_block: block }) ?? [],
    );
    this.#stopReason = stop_reason ?? this.#stopReason;
    return events;
  }

  #takePiece(piece: RawMessageStreamEvent): readonly LlmEvent[] | null {
    if (piece.type === 'content_block_start') return this.#begin(piece.index, piece.content_block);
    if (piece.type === 'message_delta') {
      this.#stopReason = piece.delta?.stop_reason || this.#stopReason;
      return [];
    }
    if (piece.type === 'message_stop') this.#saidStop = true;
    if (piece.type !== 'content_block_delta') return null;
    const { index, delta } = piece;
    if (delta?.type === 'text_delta') return delta.text === '' ? null : this.#say(delta.text);
    if (delta?.type === 'input_json_delta') this.#calls.add({ index, arguments: delta.partial_json });
    const known = this.#thoughts.get(index);
    if (known?.type !== 'thinking') return [];
    if (delta.type === 'signature_delta')
      this.#thoughts.set(index, { ...known, signature: known.signature + delta.signature });
    if (delta.type !== 'thinking_delta' || delta.thinking === '') return [];
    this.#thoughts.set(index, { ...known, thinking: known.thinking + delta.thinking });
    return [{ type: 'reasoning', text: delta.thinking }];
  }

  #begin(index: number, block: Message['content'][number] | undefined): readonly LlmEvent[] | null {
    if (block?.type === 'tool_use') {
      const input = Object.keys(block.input ?? {}).length === 0 ? undefined : block.input;
      this.#calls.add({ index, id: block.id, name: block.name, arguments: input });
    } else if (block?.type === 'thinking')
      this.#thoughts.set(index, { type: 'thinking', thinking: block.thinking ?? '', signature: block.signature ?? '' });
    else if (block?.type === 'redacted_thinking')
      this.#thoughts.set(index, { type: 'redacted_thinking', data: block.data });
    // Gateways that do not stream put the whole text here.
    if (block?.type === 'text' && block.text) return this.#say(block.text);
    return block === undefined || block.type === 'text' ? null : [];
  }

  #say(text: string): LlmEvent[] {
    return this.#sift(this.#leaks.push(text));
  }

  #sift(sifted: ReturnType<LeakedCalls['push']>): LlmEvent[] {
    this.#leaked.push(...sifted.calls);
    this.unread += sifted.unread;
    if (sifted.text.trim() !== '') this.#spoke = true;
    return sifted.text === '' ? [] : [{ type: 'text', text: sifted.text }];
  }

  end({ isBroken }: AnswerEnd): readonly LlmEvent[] {
    const events = this.#sift(this.#leaks.end());
    // Gateways say that a message ends, and leave out why.
    const reason = this.#stopReason ?? (this.#saidStop && !isBroken ? 'incomplete' : null);
    if (reason === null) throw new BrokenAnswerError('broken', 'the stream ended without a stop reason');
    if (reason === 'refusal' && !this.#spoke) throw new BrokenAnswerError('declined', 'the model refused to answer');
    // Half of a tool call must not run.
    if (reason !== 'tool_use' && !this.#calls.isWhole)
      throw new BrokenAnswerError('broken', 'the answer ended inside a tool call');
    const calls = [...this.#calls.calls(), ...this.#leaked];
    if (!this.#spoke && calls.length === 0 && this.unread === 0 && !this.#mayBeEmpty)
      throw new BrokenAnswerError('empty', 'the answer is empty');
    this.#remember(calls, [...this.#thoughts.values()]);
    return [
      ...events,
      ...calls.map((call) => ({ type: 'tool-call', call }) as const),
      { type: 'done', finishReason: reason },
    ];
  }
}
