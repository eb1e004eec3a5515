import type { LlmEcho, LlmEvent, LlmToolCall } from '../../ports.ts';
import { refusalInFrame } from '../request/refusal.ts';
import { BrokenAnswerError, RefusedError, type AnswerEnd, type AnswerReader } from './answer-reader.ts';
import { CallAssembly } from './call-assembly.ts';
import { contentOf } from './content-parts.ts';
import { choiceInForeignForm, unwrapped } from './foreign-forms.ts';
import { isFrame, type Frame } from './frames.ts';
import { LeakedCalls } from './leaked-calls.ts';
import { NewText } from './new-text.ts';
import { EchoCollector } from './reasoning-echo.ts';

/** Whether an endpoint has ever said why an answer ends. One that does, and then does not, broke off behind a proxy. */
export interface Endings {
  named: boolean;
}

/** Reads chunks of chat completions, of OpenAI and of all who speak like it, also whole ones, and Ollama's own form. */
export class OpenAiReader implements AnswerReader {
  readonly #calls: CallAssembly;
  readonly #leaks: LeakedCalls;
  readonly #leaked: LlmToolCall[] = [];
  readonly #endings: Endings;
  readonly #mayBeEmpty: boolean;
  readonly #echo = new EchoCollector();
  readonly #text = new NewText();
  #finishReason: string | null = null;
  #spoke = false;
  #said = '';
  #thought = false;
  unread = 0;

  /** @param names of the tools that were offered, as the model knows them. */
  constructor(names: readonly string[], endings: Endings, mayBeEmpty: boolean) {
    this.#calls = new CallAssembly(names);
    this.#leaks = new LeakedCalls(names);
    this.#endings = endings;
    this.#mayBeEmpty = mayBeEmpty;
  }

  get isComplete(): boolean {
    return this.#finishReason !== null;
  }

  take(outer: Frame): readonly LlmEvent[] | null {
    const frame = unwrapped(outer);
    const choices = isFrame(frame['choices']) ? [frame['choices']] : frame['choices'];
    const choice: unknown = Array.isArray(choices)
      ? firstOf(choices)
      : isFrame(frame['message'])
        ? frame
        : choiceInForeignForm(frame);
    const refusal = refusalInFrame(isFrame(choice) && isFrame(choice['error']) ? choice : frame);
    if (refusal !== null) throw new RefusedError(refusal);
    if (!isFrame(choice)) return null;
    const finish = reasonOf(
      choice['finish_reason'] ??
        choice['finishReason'] ??
        choice['done_reason'] ??
        (choice['done'] === true ? 'stop' : null),
    );
    if (finish === 'error')
      throw new RefusedError({ status: 500, code: 'error', param: null, message: '', numbers: {} });
    const given = [choice['delta'], choice['message']].filter((one) => isFrame(one));
    const delta = given.find((one) => Object.keys(one).length > 0);
    const bare = typeof choice['delta'] === 'string' ? choice['delta'] : choice['text'];
    // Some write calls beside the message.
    const beside = choice['tool_calls'] === undefined ? {} : { tool_calls: choice['tool_calls'] };
    const events = this.#takeDelta({ content: bare, ...beside, ...delta });
    this.#finishReason = finish ?? this.#finishReason;
    return finish === null ? events : (events ?? []);
  }

  #takeDelta(delta: Frame): readonly LlmEvent[] | null {
    const { text, reasoning } = contentOf(delta);
    this.#echo.add(delta);
    let pieces = 0;
    for (const call of callsIn(delta)) {
      if (!call.name && !call.arguments && !call.echo) continue;
      this.#calls.add(call);
      pieces += 1;
    }
    if (text === '' && reasoning === '') return pieces > 0 ? [] : null;
    if (reasoning !== '') this.#thought = true;
    return [
      ...(reasoning === '' ? [] : [{ type: 'reasoning', text: reasoning } as const]),
      ...this.#sift(this.#leaks.push(this.#text.of(text))),
    ];
  }

  end({ saidDone, isBroken }: AnswerEnd): readonly LlmEvent[] {
    const events = this.#sift(this.#leaks.end());
    const reason = this.#finishReason;
    const endsWell = reason !== null || (saidDone && !this.#endings.named && !isBroken);
    if (reason !== null) this.#endings.named = true;
    // Half of a tool call must not run, and an answer without an end is broken.
    if (!endsWell) throw new BrokenAnswerError('broken', 'the stream ended without a finish reason');
    if (!this.#calls.isWhole && (reason === null || reason === 'length'))
      throw new BrokenAnswerError('broken', 'the answer ended inside a tool call');
    // Arguments may be whole JSON without the piece that was lost, and are other ones then: "Ro" for "Rome".
    if (isBroken && !this.#calls.isEmpty) throw new BrokenAnswerError('broken', 'a piece of a tool call was damaged');
    const calls = withEcho([...this.#calls.calls(), ...this.#leaked], this.#echo.fields);
    if (this.#spoke && onlyThinksAloud(this.#said)) [this.#spoke, this.#thought] = [false, true];
    if (!this.#spoke && calls.length === 0 && this.unread === 0) this.#checkEmpty(reason);
    return [
      ...events,
      ...calls.map((call) => ({ type: 'tool-call', call }) as const),
      { type: 'done', finishReason: reason ?? 'incomplete' },
    ];
  }

  #checkEmpty(reason: string | null): void {
    if (isFiltered(reason)) throw new BrokenAnswerError('declined', 'the answer was filtered');
    if (!this.#mayBeEmpty) throw new BrokenAnswerError(this.#thought ? 'only-thought' : 'empty', 'the answer is empty');
  }

  #sift(sifted: ReturnType<LeakedCalls['push']>): LlmEvent[] {
    this.#leaked.push(...sifted.calls);
    this.unread += sifted.unread;
    if (sifted.text.trim() !== '') this.#spoke = true;
    if (sifted.thought !== '') this.#thought = true;
    this.#said += sifted.text;
    return sifted.text === '' ? [] : [{ type: 'text', text: sifted.text }];
  }
}

/** A server without a parser for reasoning: it is not spoken (`strip-reasoning.ts`), and nothing else is there. */
function onlyThinksAloud(said: string): boolean {
  if (!/^\s*<think(?:ing)?>/i.test(said)) return false;
  const end = /<\/think(?:ing)?>/gi;
  const last = [...said.matchAll(end)].at(-1);
  return last === undefined || said.slice(last.index + last[0].length).trim() === '';
}

export function isFiltered(reason: string | null): boolean {
  return reason !== null && /filter|safety|refusal|prohibited|blocklist|recitation|spii|guardrail/i.test(reason);
}

/** Several answers at a time are asked for by nobody here, but sent by some: only the first is read. */
function firstOf(choices: readonly unknown[]): unknown {
  return choices.find((choice) => isFrame(choice) && Number(choice['index'] ?? 0) === 0);
}

/** "", "null" and the like are no end. SGLang's own form names it inside of an object. */
function reasonOf(value: unknown): string | null {
  if (isFrame(value)) return reasonOf(value['type']);
  const reason = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return reason === '' || reason === 'null' || reason === 'none' ? null : reason;
}

/** What belongs to all calls of the message stands beside the first one. */
export function withEcho(calls: readonly LlmToolCall[], message: LlmEcho): LlmToolCall[] {
  if (Object.keys(message).length === 0) return [...calls];
  return calls.map((call, at) => (at === 0 ? { ...call, echo: { ...call.echo, message } } : call));
}

const OF_CALLS = new Set(['index', 'id', 'type', 'function', 'name', 'arguments', 'parameters', 'args', 'input']);

/** Gateways in front of Claude leave calls among the parts of the text. */
const isCallPart = (part: unknown): boolean =>
  isFrame(part) && /^(tool_use|tool_call|function_call)$/.test(String(part['type']));

function* callsIn(delta: Frame) {
  const given = delta['tool_calls'] ?? delta['toolCalls'] ?? delta['tool_call'] ?? [];
  const old = delta['function_call'];
  const all: readonly unknown[] = [
    ...(Array.isArray(given) ? given : [given]),
    ...(old ? [{ index: 0, function: old }] : []),
    ...(Array.isArray(delta['content']) ? delta['content'].filter(isCallPart) : []),
  ];
  for (const call of all) {
    if (!isFrame(call)) continue;
    const made = isFrame(call['function']) ? call['function'] : call;
    const echo = Object.fromEntries(
      Object.entries(call).filter(([name, value]) => !OF_CALLS.has(name) && value !== null),
    );
    yield {
      index: typeof call['index'] === 'number' ? call['index'] : null,
      id: typeof call['id'] === 'string' ? call['id'] : null,
      name: typeof made['name'] === 'string' ? made['name'] : null,
      arguments: made['arguments'] ?? made['parameters'] ?? made['args'] ?? made['input'],
      ...(Object.keys(echo).length > 0 && { echo }),
    };
  }
}
