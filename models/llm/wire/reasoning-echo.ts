import type { LlmEcho } from '../../ports.ts';
import { isFrame, type Frame } from './frames.ts';

/**
 * Reasoning that a provider wants back with the calls that followed it: `reasoning_content` of DeepSeek and Kimi,
 * `reasoning_details` of OpenRouter, `extra_content` of Gemini's OpenAI form, and others of such names.
 */
const WANTED_BACK = /reason|think|thought|signature|^extra_content$|^provider_specific_fields$/i;
/** Most characters to keep: three times as many as 8,000 tokens. Longer reasoning does not go back. */
const MAX_ECHO_LENGTH = 96 * 1024;

export function echoOf(delta: Frame): LlmEcho {
  const fields = Object.entries(delta).filter(
    ([name, value]) => WANTED_BACK.test(name) && value !== null && value !== '',
  );
  return fields.length === 0 ? {} : Object.fromEntries(fields);
}

/** Collects these fields from the pieces of an answer: texts are joined, lists go on, of objects the last one counts. */
export class EchoCollector {
  #fields: Record<string, unknown> = {};
  #size = 0;

  add(delta: Frame): void {
    for (const [name, value] of Object.entries(echoOf(delta))) {
      this.#size += typeof value === 'string' ? value.length : JSON.stringify(value).length;
      if (this.#size > MAX_ECHO_LENGTH) this.#fields = {};
      else this.#fields[name] = joined(this.#fields[name], value);
    }
  }

  get fields(): LlmEcho {
    return this.#fields;
  }
}

function joined(before: unknown, more: unknown): unknown {
  if (typeof before === 'string' && typeof more === 'string') return before + more;
  if (Array.isArray(before) && Array.isArray(more)) return more.reduce<unknown[]>(withPart, before);
  if (isFrame(before) && isFrame(more)) return { ...before, ...more };
  return more;
}

/** Parts of one number and type are pieces of one. */
function withPart(parts: readonly unknown[], part: unknown): unknown[] {
  const last = parts.at(-1);
  const isSame =
    isFrame(part) &&
    isFrame(last) &&
    typeof part['index'] === 'number' &&
    part['index'] === last['index'] &&
    part['type'] === last['type'];
  if (!isSame) return [...parts, part];
  const whole: Record<string, unknown> = { ...last };
  for (const [name, value] of Object.entries(part)) {
    const isText = /^(text|summary|data)$/.test(name) && typeof value === 'string' && typeof whole[name] === 'string';
    if (isText) whole[name] = String(whole[name]) + value;
    else if (value !== null) whole[name] = value;
  }
  return [...parts.slice(0, -1), whole];
}
