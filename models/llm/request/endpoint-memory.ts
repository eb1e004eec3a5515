import { createHash } from 'node:crypto';
import type { Change } from './change.ts';
import { changesFor } from './known-models.ts';

/** For the person who configured the endpoint: "The endpoint refused …; Parley …". */
const SENTENCES: Readonly<Record<string, string>> = {
  'below-v1': 'Nothing answers at its address: it is asked below /v1.',
  'at-v1': 'Nothing answers at its address: it is asked at /v1 of its host.',
  'prompt-in-user': 'It takes no system message: the prompt of the persona goes into the first message of the user.',
  'calls-one-by-one': 'It takes one tool call in a message: calls that were made together are sent one by one.',
  'calls-as-text': 'It takes no tool messages: calls and their results are told in words.',
  'without-tools': 'It does not support tools: they are left out, so the persona cannot use its tools.',
  'short-ids': 'It takes only ids of nine letters and digits: ids of tool calls are replaced.',
  'new-limit-field': 'It refuses max_tokens: max_completion_tokens is sent in its place.',
  'old-limit-field': 'It refuses max_completion_tokens: max_tokens is sent in its place.',
  'reasoning-always': 'It wants the reasoning of earlier tool calls back: it is sent with all of them.',
  'reasoning-never': 'It takes no reasoning back: that is left out.',
  'room-to-think': 'It spent all its tokens on reasoning and said nothing: the longest answer is not limited.',
  'less-thinking': 'It spent all its tokens on reasoning and said nothing: it is asked to think less.',
  'strict-schemas': 'It refused the schema of a tool: names and keywords that it may not know are left out.',
  'plain-schemas': 'It refused the schema of a tool: only the plainest keywords are sent.',
  'short-descriptions': 'It refused a long description of a tool: descriptions end after 1,024 characters.',
  'fewer-tools': 'It takes 128 tools at most: the others are left out.',
  'without:stream_options':
    'It does not take the question how many tokens an answer has: unless it tells by itself, what conversations cost is not known.',
  'text-with-calls': 'It wants text in every message: an empty one is sent with tool calls.',
};

/** Refusals that nothing helped against. Words with numbers or ids in them would be new each time. */
const MAX_HOPELESS = 20;

/** Of one endpoint, for as long as the process lives. It holds nothing of any conversation. */
export class EndpointMemory {
  readonly #changes: Set<Change>;
  readonly #known: readonly Change[];
  /** Characters that a conversation may have; null while that is not known. */
  #roomChars: number | null = null;
  readonly #hopeless = new Set<string>();

  constructor(modelName = '') {
    this.#known = changesFor(modelName);
    this.#changes = new Set(this.#known);
  }

  has(change: Change): boolean {
    return this.#changes.has(change);
  }

  get changes(): readonly Change[] {
    return [...this.#changes];
  }

  /** The tokens that are asked for, or as many as the endpoint gives. */
  fewerTokens(wanted: number | null | undefined): number | null {
    const given = this.changes.flatMap((change) =>
      change.startsWith('most-tokens:') ? [Number(change.slice(12))] : [],
    );
    const most = Math.min(wanted ?? Infinity, ...given);
    return most === Infinity ? null : most;
  }

  get roomChars(): number | null {
    return this.#roomChars;
  }

  remember(change: Change): void {
    this.#changes.add(change);
  }

  takeBack(change: Change): void {
    this.#changes.delete(change);
  }

  rememberRoom(characters: number): void {
    this.#roomChars = characters;
  }

  /** Whether nothing helped against a refusal in these words. */
  isHopeless(words: string): boolean {
    return this.#hopeless.has(hash(words));
  }

  rememberHopeless(words: string): void {
    if (this.#hopeless.size < MAX_HOPELESS) this.#hopeless.add(hash(words));
  }

  forget(): void {
    this.#changes.clear();
    for (const change of this.#known) this.#changes.add(change);
    this.#hopeless.clear();
    this.#roomChars = null;
  }

  /** What was found, a sentence each, for the person who configured the endpoint. */
  sentences(): string[] {
    const all = this.changes.map(sentenceFor);
    return this.#roomChars === null
      ? all
      : [...all, 'The conversation was longer than the context of the model: its oldest turns are left out.'];
  }
}

/** The words may quote a conversation. */
function hash(words: string): string {
  return createHash('sha256').update(words).digest('base64');
}

export function sentenceFor(change: Change): string {
  const known = SENTENCES[change];
  if (known !== undefined) return known;
  const [kind, name] = change.split(/:(.*)/s);
  if (kind === 'without') return `It refuses ${name}: that is left out.`;
  if (kind === 'most-tokens') return `It gives ${name} tokens of an answer at most: no more are asked for.`;
  if (kind === 'without-tool') return `It refuses the tool ${name}: that is left out.`;
  return change;
}

/** Most endpoints to remember. Customers add them, so the number is limited; the one that was used longest ago goes. */
const MAX_ENDPOINTS = 1_000;

export class EndpointMemories {
  readonly #known = new Map<string, EndpointMemory>();

  /** @param id of the endpoint with its model. */
  of(id: string, modelName: string): EndpointMemory {
    const memory = this.#known.get(id) ?? new EndpointMemory(modelName);
    this.#known.delete(id);
    this.#known.set(id, memory);
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > MAX_ENDPOINTS && oldest !== undefined) this.#known.delete(oldest);
    return memory;
  }
}
