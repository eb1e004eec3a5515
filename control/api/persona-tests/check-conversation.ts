import type { HeldConversation } from '../../../engine/index.ts';
import type { TestAttempt, TestCheck } from './test-schema.ts';

type Verdict = TestAttempt['checks'][number];

/** Asks an LLM whether something is true of a conversation. */
export type Grade = (rubric: string) => Promise<{ readonly passed: boolean; readonly why: string }>;

/** What a check says of a conversation. @param grade may be asked for its opinion. Never rejects. */
export async function checkConversation(
  check: TestCheck,
  conversation: HeldConversation,
  grade: Grade,
): Promise<Verdict> {
  const verdict = (what: string, passed: boolean, why: string): Verdict => ({ kind: check.kind, what, passed, why });
  switch (check.kind) {
    case 'said': {
      const found = check.anyOf.find((words) => isSaid(conversation, words));
      const what = `The persona says ${quoted(check.anyOf, 'or')}`;
      return verdict(what, found !== undefined, found === undefined ? 'It did not.' : `It said “${found}”.`);
    }
    case 'notSaid': {
      const found = check.anyOf.find((words) => isSaid(conversation, words));
      const what = `The persona does not say ${quoted(check.anyOf, 'or')}`;
      return verdict(what, found === undefined, found === undefined ? 'It did not.' : `It said “${found}”.`);
    }
    case 'toolCalled':
      return toolCalled(check, conversation);
    case 'toolNotCalled': {
      const calls = conversation.toolCalls.filter(({ toolName }) => toolName === check.tool).length;
      const why = calls === 0 ? 'It was not.' : `It was called ${inWords(calls)}.`;
      return verdict(`${check.tool} is not called`, calls === 0, why);
    }
    case 'ended': {
      const reason = conversation.end?.reason ?? 'nothing';
      return verdict(`The conversation ends by ${check.reason}`, reason === check.reason, `It ended by ${reason}.`);
    }
    case 'heard': {
      const found = check.anyOf.find((words) => isSaid(conversation, words, 'user'));
      const why = found === undefined ? 'It was not.' : `“${found}” was.`;
      return verdict(`${quoted(check.anyOf, 'or')} of the user is understood`, found !== undefined, why);
    }
    case 'interrupted':
      return interrupted(check.times, conversation);
    case 'latency':
      return latency(check.withinMs, conversation);
    case 'graded': {
      const { passed, why } = await grade(check.rubric);
      return verdict(check.rubric, passed, why);
    }
  }
}

function toolCalled(check: Extract<TestCheck, { kind: 'toolCalled' }>, { toolCalls }: HeldConversation): Verdict {
  const calls = toolCalls.filter(({ toolName }) => toolName === check.tool);
  const wanted = check.arguments ?? {};
  const passed = calls.some((call) => contains(call.arguments ?? {}, wanted));
  const withThem = Object.keys(wanted).length === 0 ? '' : ` with ${JSON.stringify(wanted)}`;
  const why = passed
    ? 'It was.'
    : calls.length === 0
      ? 'It was not called.'
      : `It was called with ${calls.map((call) => JSON.stringify(call.arguments)).join(', ')}.`;
  return { kind: check.kind, what: `${check.tool} is called${withThem}`, passed, why };
}

function interrupted(times: number, { messages }: HeldConversation): Verdict {
  const count = messages.filter((message) => message.role === 'persona' && message.interrupted).length;
  return {
    kind: 'interrupted',
    what: `The persona stops for the user ${inWords(times)}`,
    passed: count === times,
    why: `It stopped ${inWords(count)}.`,
  };
}

function inWords(times: number): string {
  return times === 0 ? 'never' : times === 1 ? 'once' : `${times} times`;
}

function latency(withinMs: number, { turns }: HeldConversation): Verdict {
  const heard = turns.flatMap(({ userText, userSpeechEndedAt, llmRequestedAt, speakingStartedAt }) => {
    // Who types is done when the LLM is asked.
    const since = userSpeechEndedAt ?? llmRequestedAt;
    return userText === null || since === null || speakingStartedAt === null
      ? []
      : [Math.round(speakingStartedAt - since)];
  });
  const slowest = Math.max(0, ...heard);
  return {
    kind: 'latency',
    what: `Each answer is heard within ${withinMs} ms`,
    passed: heard.length > 0 && slowest <= withinMs,
    why: heard.length === 0 ? 'There was no answer.' : `The slowest took ${slowest} ms.`,
  };
}

/** Whether a value has all that another one asks for. Texts are compared without regard to letters and spaces. */
export function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'string' && typeof value === 'string') return folded(value) === folded(wanted);
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((one, index) => contains(value[index], one))
    );
  if (typeof wanted === 'object' && wanted !== null)
    return (
      typeof value === 'object' &&
      value !== null &&
      Object.entries(wanted).every(([key, one]) => contains((value as Record<string, unknown>)[key], one))
    );
  return value === wanted;
}

function isSaid({ messages }: HeldConversation, words: string, by: 'persona' | 'user' = 'persona'): boolean {
  const said = messages.filter(({ role }) => role === by).map(({ text }) => folded(text));
  return said.some((text) => text.includes(folded(words)));
}

/** Letters and digits as people hear them: "9 a.m." and "9 A.M." are the same. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/[‘’]/g, "'").replaceAll(/\s+/g, ' ').trim();
}

function quoted(texts: readonly string[], between: string): string {
  return texts.map((text) => `“${text}”`).join(` ${between} `);
}
