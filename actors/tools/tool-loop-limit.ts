import { parseBoundedJson } from '../bounded-json.ts';
import { canonicalJson } from './canonical-json.ts';

/** Stops a model that calls tools without end: per turn at most 10 calls, and at most 5 identical ones in a row. */

/** Calls of one turn (contract). */
export const CALLS_PER_TURN = 10;
/** Consecutive calls with the same name and arguments (contract). */
export const IDENTICAL_CALLS = 5;

export interface ToolLoop {
  readonly calls: number;
  readonly last: string | null;
  readonly identical: number;
}

/** At the start of every turn. */
export const NEW_TOOL_LOOP: ToolLoop = { calls: 0, last: null, identical: 0 };

export interface CountedCall {
  /** False: do not run this call; ask the LLM once more without tools. */
  readonly allowed: boolean;
  readonly loop: ToolLoop;
}

/**
 * Counts one call, also one that fails at once (unknown tool, wrong arguments). Arguments that are not JSON compare
 * as text.
 */
export function countToolCall(
  loop: ToolLoop,
  call: { readonly name: string; readonly arguments: string },
): CountedCall {
  const key = `${call.name}\u0000${canonicalArguments(call.arguments)}`;
  const identical = key === loop.last ? loop.identical + 1 : 1;
  if (loop.calls >= CALLS_PER_TURN || identical > IDENTICAL_CALLS) return { allowed: false, loop };
  return { allowed: true, loop: { calls: loop.calls + 1, last: key, identical } };
}

function canonicalArguments(text: string): string {
  try {
    return canonicalJson(text.trim() === '' ? {} : parseBoundedJson(text));
  } catch {
    return text.trim();
  }
}
