import type { SessionEnvironment } from '../kernel/environment.ts';
import type { HeardWords, UserTurn } from '../kernel/inner-events.ts';

/** What the persona will say or answer next. `talk-stream/` keeps a separate queue of talk streams. */
export type TurnQueueItem =
  | HeardItem
  | AskItem
  /** A text to say. */
  | { readonly kind: 'greeting'; readonly text: string }
  | { readonly kind: 'goodbye'; readonly text: string; readonly callId: string };

/**
 * Ask the LLM by a hidden instruction. `result`: whether the late result of a tool is to be told. `own`: for what an agent has
 * begun to say by itself; there is no instruction.
 */
export interface AskItem {
  readonly kind: 'greet' | 'prompt' | 'result' | 'own';
}

/** The user said or wrote something. */
export interface HeardItem {
  readonly kind: 'heard';
  readonly source:
    | { readonly by: 'voice'; readonly turn: UserTurn }
    | { readonly by: 'keyboard'; readonly text: string; readonly correlationId: string };
  readonly at: number;
  readonly wants: 'answer' | 'nothing';
}

/** Whether the persona answers. It does not without an LLM, nor what was said to others. */
export function wantsAnswer({ config }: SessionEnvironment, { asked }: Pick<HeardWords, 'asked'>): HeardItem['wants'] {
  return config.llm.kind === 'client' || asked === null ? 'nothing' : 'answer';
}

/** A turn of the user cancels everything that waits, except for a goodbye. */
export function enterHeard(turnQueue: readonly TurnQueueItem[], item: HeardItem): readonly TurnQueueItem[] {
  return [
    ...turnQueue.filter(
      (waiting) => waiting.kind === 'heard' || (waiting.kind === 'goodbye' && item.wants === 'nothing'),
    ),
    item,
  ];
}

/** An interruption by the application. What the user said is still answered. */
export function withoutSpeech(turnQueue: readonly TurnQueueItem[]): readonly TurnQueueItem[] {
  return heardItems(turnQueue);
}

/** The goodbye takes the place of whatever else would be said. */
export function enterGoodbye(
  turnQueue: readonly TurnQueueItem[],
  text: string,
  callId: string,
): readonly TurnQueueItem[] {
  return [...heardItems(turnQueue), { kind: 'goodbye', text, callId }];
}

/** Whether the user has said something that the persona has not begun to answer. */
export function awaitsAnswer(turnQueue: readonly TurnQueueItem[]): boolean {
  return heardItems(turnQueue).some((item) => item.wants === 'answer');
}

export function heardItems(turnQueue: readonly TurnQueueItem[]): readonly HeardItem[] {
  return turnQueue.filter((item) => item.kind === 'heard');
}

export interface NextUp {
  /** Messages of the user, in order. If several waited, the last one gets the answer to all. */
  readonly heard: readonly HeardItem[];
  readonly item: TurnQueueItem | null;
  readonly rest: readonly TurnQueueItem[];
}

export function nextUp(turnQueue: readonly TurnQueueItem[]): NextUp {
  const first = turnQueue.findIndex((item) => item.kind !== 'heard');
  const heard = turnQueue.slice(0, first === -1 ? turnQueue.length : first) as HeardItem[];
  const answer = heard.findLast((item) => item.wants === 'answer');
  if (answer !== undefined) return { heard, item: answer, rest: turnQueue.slice(heard.length) };
  return { heard, item: turnQueue[heard.length] ?? null, rest: turnQueue.slice(heard.length + 1) };
}
