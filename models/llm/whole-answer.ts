import type { LanguageModel, LlmRequest } from '../ports.ts';

/** Characters that are read. What is asked for has some hundreds; a model that repeats itself, or is hostile, has no end. */
const MAX_ANSWER_LENGTH = 40_000;

/** @returns what an LLM writes, trimmed and cut, without thoughts that it shows. @throws ProviderError, or the signal's reason. */
export async function wholeAnswer(llm: LanguageModel, request: LlmRequest, signal: AbortSignal): Promise<string> {
  let text = '';
  for await (const event of llm.stream(request, signal)) {
    if (event.type === 'text') text += event.text;
    if (text.length > MAX_ANSWER_LENGTH) break;
  }
  return withoutThoughts(text.slice(0, MAX_ANSWER_LENGTH)).trim();
}

/** In one pass: a pattern from tag to tag looks through the rest of the text for each one that is not closed. */
export function withoutThoughts(text: string): string {
  const [begin, end] = [/<think(?:ing)?>/gi, /<\/think(?:ing)?>/gi];
  let kept = '';
  let at = 0;
  for (;;) {
    begin.lastIndex = at;
    const opened = begin.exec(text);
    end.lastIndex = begin.lastIndex;
    if (opened === null || end.exec(text) === null) return kept + text.slice(at);
    kept += text.slice(at, opened.index);
    at = end.lastIndex;
  }
}
