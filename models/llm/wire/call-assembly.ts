import { jsonrepair } from 'jsonrepair';
import { endOfJson } from '../../../runtime/end-of-json.ts';
import type { LlmEcho, LlmToolCall } from '../../ports.ts';
import { checkToolCalls } from '../answer-limits.ts';
import { newCallId } from '../request/call-ids.ts';
import { cleanName } from './clean-name.ts';
import { readLeak } from './read-calls.ts';

/** A piece of a call. Providers leave out, repeat and number these as they like. */
export interface CallPiece {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly name?: string | null;
  /** Text, or the value itself. */
  readonly arguments?: unknown;
  readonly echo?: LlmEcho;
}

interface Part {
  readonly index: number;
  id: string;
  name: string;
  /** The pieces joined. */
  joined: string;
  /** The last piece, as long as each holds the one before it; null when they are no such pieces. */
  cumulative: string | null;
  echo: LlmEcho;
}

/**
 * Joins tool calls that arrive in pieces. Whether a piece begins a new call is decided by whether the arguments so far
 * are a whole JSON value, because indexes and ids are not reliable: some servers number every call 0, and others change
 * the id from piece to piece.
 */
export class CallAssembly {
  readonly #names: ReadonlySet<string>;
  readonly #parts: Part[] = [];
  #last: Part | null = null;

  /** @param names of the tools that were offered, as the model knows them. */
  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** Whether every call has whole arguments, or none. */
  get isWhole(): boolean {
    return this.#parts.every((part) => separate(argumentsOf(part)).every((text) => text.trim() === '' || isJson(text)));
  }

  /** @throws AnswerLimitError */
  add(piece: CallPiece): void {
    const known = this.#knownPart(piece);
    const part = known === null || this.#beginsCall(known, piece) ? this.#newPart(piece) : known;
    this.#last = part;
    if (piece.id && part.id === '') part.id = piece.id;
    part.name = nameAfter(part.name, piece.name ?? '');
    addArguments(part, piece.arguments);
    part.echo = { ...part.echo, ...piece.echo };
    checkToolCalls(this.#parts.length, { name: part.name, arguments: part.joined });
  }

  /** The calls in order, without those that have no name. */
  calls(): LlmToolCall[] {
    return this.#parts
      .toSorted((a, b) => a.index - b.index)
      .filter(({ name }) => name.trim() !== '')
      .flatMap((part, place, all) =>
        separate(argumentsOf(part)).map((args, at) => ({
          // A result belongs to one call: two of one id are told apart.
          id: part.id === '' || at > 0 || all.findIndex(({ id }) => id === part.id) < place ? newCallId() : part.id,
          name: cleanName(part.name, this.#names),
          arguments: cleanArguments(args),
          ...(Object.keys(part.echo).length > 0 && { echo: { call: part.echo } }),
        })),
      )
      .flatMap((call) => inParallel(call, this.#names))
      .map((call) => withNamedArguments(call, this.#names));
  }

  #knownPart({ index, id }: CallPiece): Part | null {
    if (index === null || index === undefined)
      return (id ? this.#parts.find((part) => part.id === id) : undefined) ?? this.#last;
    const numbered = this.#parts.filter((part) => part.index === index);
    return numbered.find((part) => id && part.id === id) ?? numbered.at(-1) ?? null;
  }

  #beginsCall(part: Part, piece: CallPiece): boolean {
    // An id that changes on a continuation without a name is one call.
    if (!piece.name) return false;
    if (piece.id && piece.id === part.id) return false;
    if (part.name === '') return false;
    if (piece.id && part.id !== '')
      return piece.id !== part.id && !continuesName(part, piece, this.#names) && !repeats(part, piece);
    if (part.joined === '')
      return this.#names.has(part.name) && this.#names.has(piece.name) && part.name !== piece.name;
    return isWhole(part) && !repeats(part, piece);
  }

  #newPart({ index }: CallPiece): Part {
    const after = Math.max(-1, ...this.#parts.map((part) => part.index));
    const part: Part = { index: index ?? after + 1, id: '', name: '', joined: '', cumulative: '', echo: {} };
    this.#parts.push(part);
    return part;
  }
}

/** The same once more, at the end. A tool without arguments may be meant twice. */
function repeats(part: Part, piece: CallPiece): boolean {
  const all = textOf(piece.arguments).trim();
  return piece.name === part.name && all === argumentsOf(part).trim() && (!piece.id || /\w/.test(all));
}

/** A name may come in pieces: `get_`, then `weather`, before there are arguments. */
function continuesName(part: Part, piece: CallPiece, names: ReadonlySet<string>): boolean {
  if (part.joined !== '' || names.has(part.name)) return isWhole(part) ? false : part.name === piece.name;
  return names.has(part.name + (piece.name ?? ''));
}

function nameAfter(name: string, piece: string): string {
  // Repeated, or cumulative.
  if (piece.startsWith(name)) return piece;
  return name === piece || name.endsWith(piece) ? name : name + piece;
}

function addArguments(part: Part, given: unknown): void {
  if (given === null || given === undefined) return;
  const piece = textOf(given);
  if (piece === '') return;
  // Some send an empty object before the real one.
  if (part.joined.trim() === '{}') part.joined = '';
  // What comes after whole arguments repeats them.
  if (isJson(part.joined)) return;
  part.cumulative = part.cumulative !== null && piece.startsWith(part.cumulative) ? piece : null;
  part.joined += piece;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
}

function argumentsOf({ joined, cumulative }: Part): string {
  return cumulative !== null && !isJson(joined) && isJson(cumulative) ? cumulative : joined;
}

/** Some servers put the arguments of several calls of one tool one behind the other. @returns those of each call. */
function separate(text: string): string[] {
  const plain = text.trim();
  const end = plain.startsWith('{') ? endOfJson(plain, 0) : -1;
  if (end === -1 || !isJson(plain.slice(0, end)) || !/^[\s,]*\{[\s\S]*\}$/.test(plain.slice(end))) return [text];
  const rest = plain.slice(end).replace(/^[\s,]*/, '');
  return rest === plain.slice(0, end) ? [rest] : [plain.slice(0, end), ...separate(rest)];
}

function isWhole(part: Part): boolean {
  return isJson(argumentsOf(part));
}

function isJson(text: string): boolean {
  // Only what ends like an object, a list or a text can be whole: this keeps a long call from being parsed at each piece.
  if (!/[}\]"]\s*$/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Servers that cut a call in the wrong place leave its arguments, or the marks of the model, in its name. */
function withNamedArguments(call: LlmToolCall, names: ReadonlySet<string>): LlmToolCall {
  if (names.has(call.name) || !/[({<"'=]/.test(call.name)) return call;
  const [read] = readLeak(call.name, names);
  if (read === undefined) return call;
  return { ...call, name: read.name, arguments: call.arguments === '{}' ? read.arguments : call.arguments };
}

/** Models of OpenAI write several calls as one, to a tool that nobody offered: each of its uses is a call. */
function inParallel(call: LlmToolCall, names: ReadonlySet<string>): readonly LlmToolCall[] {
  if (!/(^|\.)parallel$/.test(call.name) || names.has(call.name) || !isJson(call.arguments)) return [call];
  const { tool_uses: uses } = JSON.parse(call.arguments) as { tool_uses?: unknown };
  if (!Array.isArray(uses)) return [call];
  return uses.map((use: { recipient_name?: unknown; parameters?: unknown } | null) => ({
    id: newCallId(),
    name: cleanName(String(use?.recipient_name ?? ''), names),
    arguments: JSON.stringify(use?.parameters ?? {}),
  }));
}

/** JSON inside of JSON text, or in a code fence, is taken out. */
export function cleanArguments(text: string): string {
  let plain = text.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/i, '$1');
  for (let depth = 0; depth < 3 && plain.startsWith('"'); depth += 1) {
    try {
      const inner: unknown = JSON.parse(plain);
      if (typeof inner !== 'string') break;
      plain = inner.trim();
    } catch {
      break;
    }
  }
  if (/^(null|undefined|none|\[\s*\])?$/i.test(plain)) return '{}';
  return repaired(withoutRest(withoutList(plain)));
}

/** Arguments are one object: some put it into a list. */
function withoutList(text: string): string {
  const inside = /^\[\s*(\{[\s\S]*\})\s*\]$/.exec(text)?.[1];
  return inside !== undefined && endOfJson(inside, 0) === inside.length ? inside : text;
}

/** A bracket too many, the mark after a call that the server has left behind it, or words. */
function withoutRest(text: string): string {
  const end = text.startsWith('{') ? endOfJson(text, 0) : -1;
  const rest = end === -1 ? '' : text.slice(end);
  return rest !== '' && !rest.includes('{') ? text.slice(0, end) : text;
}

/**
 * Arguments as in Python, with a comma too many, or with a line break inside of a text. What is not whole stays as it
 * is: half of a call must not run.
 */
function repaired(text: string): string {
  if (!text.startsWith('{') || isJson(text) || endOfJson(text, 0) !== text.length) return text;
  try {
    return jsonrepair(text);
  } catch {
    return text;
  }
}
