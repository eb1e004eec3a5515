import type { ToolCallRecord } from '../../../actors/report.ts';
import { HttpError } from '../../errors/http-error.ts';
import { keepsTranscript, toolCallsOf } from '../../sessions/records/session-rows.ts';
import type { Store } from '../../store/open.ts';
import type { SessionRow } from '../../store/tables.ts';
import { personaTestErrors } from './test-errors.ts';
import { type TestCheck, type TestDefinition, testDefinition } from './test-schema.ts';

const MAX_LINE_LENGTH = 4000;
/** Beginning of an answer that a stand-in LLM has to give again. */
const COMPARED = 80;

/**
 * A test that says again what the user of a session said, with the answers that the tools gave. It expects the same calls,
 * and the same answers: word by word of the stand-in for an LLM, in what they mean of another one.
 * @param isStandIn whether the persona has the stand-in. @throws HttpError 409 when nothing of the session was kept.
 */
export async function testFromSession(store: Store, session: SessionRow, isStandIn: boolean): Promise<TestDefinition> {
  if (!keepsTranscript(session)) throw new HttpError(personaTestErrors.noTranscript);
  const messages = await store.db
    .selectFrom('session_messages')
    .selectAll()
    .where('session_id', '=', session.id)
    .where('for_persona', '=', 1)
    .orderBy('at')
    .orderBy('message_id')
    .execute();
  const lines = messages.filter(({ role }) => role === 'user').map(({ text }) => text.trim().slice(0, MAX_LINE_LENGTH));
  if (lines.every((line) => line === '')) throw new HttpError(personaTestErrors.noTranscript);
  const answers = messages
    .filter(({ role, interrupted, text }) => role === 'persona' && interrupted === 0 && text.trim() !== '')
    .map(({ text }) => text.trim());
  const calls = (await toolCallsOf({ store }, session.id)).filter(({ toolType }) => toolType !== 'system');
  return testDefinition.parse({
    user: { kind: 'lines', lines: lines.filter((line) => line !== '').slice(0, 100) },
    mocks: mocksOf(calls, isStandIn),
    checks: [
      ...calls.slice(0, 10).map(({ toolName, arguments: args }): TestCheck => ({
        kind: 'toolCalled',
        tool: toolName,
        ...(args !== null && { arguments: isStandIn ? { ...args } : firm(args) }),
      })),
      ...(isStandIn ? answers.slice(0, 20).map(saysAgain) : meansTheSame(answers)),
      ...(session.end_reason === 'end_call' ? [{ kind: 'ended', reason: 'end_call' } as const] : []),
    ],
  });
}

/**
 * What the tools answered. An LLM words the arguments anew each time: then a tool answers as it did last, so that the
 * conversation goes on.
 */
function mocksOf(calls: readonly ToolCallRecord[], isStandIn: boolean): TestDefinition['mocks'] {
  const mocks = calls.slice(0, 40).map(({ toolName, arguments: args, result, status, errorMessage }) => ({
    tool: toolName,
    ...(args !== null && { whenArguments: { ...args } }),
    ...(status === 'failed' ? { error: errorMessage ?? 'It failed.' } : { result: result ?? '' }),
  }));
  if (isStandIn) return mocks;
  const last = new Map(mocks.map((mock) => [mock.tool, { ...mock, whenArguments: undefined }]));
  return [...mocks, ...[...last.values()].slice(0, 10)];
}

/** Arguments that an LLM does not word: numbers, switches, and texts without a space, such as ids and dates. */
function firm(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isFirm = (value: unknown): boolean =>
    typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && /^\S+$/.test(value));
  return Object.fromEntries(Object.entries(args).filter(([, value]) => isFirm(value)));
}

function saysAgain(answer: string): TestCheck {
  return { kind: 'said', anyOf: [answer.slice(0, COMPARED).trim()] };
}

function meansTheSame(answers: readonly string[]): readonly TestCheck[] {
  if (answers.length === 0) return [];
  const before = answers
    .map((answer) => `- ${answer}`)
    .join('\n')
    .slice(0, 3800);
  return [
    {
      kind: 'graded',
      rubric: `The persona gives the user the same information, and promises the same, as it did before:\n${before}`,
    },
  ];
}
