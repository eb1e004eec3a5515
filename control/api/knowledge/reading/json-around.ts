import { endOfJson } from '../../../../runtime/end-of-json.ts';

/** What was saved with an answer: the fields of HTTP. */
const FIELDS = /^HTTP\/[\d.]+ \d{3}[^\n]*\n(?:[\w-]+:[^\n]*\n)*\r?\n/;
/** What keeps other pages from running an answer as a script. */
const GUARD = /^(?:\)\]\}'?,?|(?:while|for) ?\([1;]{0,3}\) ?(?:;|\{\};?))\s*/;
/** What makes a script of it: a call (JSONP), or a name that it is given. */
const CALL =
  /^(?:\/\*\*\/\s*)?(?:[\w$.]{1,100}\s*\(|export\s+default\s|(?:(?:var|let|const|export const)\s+)?[\w$.[\]'"]{1,100}\s*=)\s*(?=[[{])/;
const AFTER = /^\s*\)?\s*;?\s*$/;
/** A line of server-sent events. */
const EVENT = /^(?:data|event|id|retry):/;

/** JSON without what servers and programs put around it; any other text as it is. */
export function withoutAround(given: string): string {
  const text = given.trimStart().replace(FIELDS, '').replace(GUARD, '');
  if (EVENT.test(text)) return eventsOf(text);
  const call = CALL.exec(text)?.[0];
  if (call === undefined) return text;
  const end = endOfJson(text, call.length);
  return end !== -1 && AFTER.test(text.slice(end)) ? text.slice(call.length, end) : text;
}

/** Each with a value, but the last of a model's, which says that it is done. */
function eventsOf(text: string): string {
  const lines = text.split('\n').filter((line) => line.startsWith('data:'));
  const values = lines.map((line) => line.slice('data:'.length).trim());
  return values.filter((value) => value !== '[DONE]').join('\n');
}
