import {
  holdTextConversation,
  type MockedAnswer,
  type RunTool,
  searchKnowledge,
  type HeldConversation,
  type SpokenConversationRequest,
} from '../../../engine/index.ts';
import type { KnowledgeSearch, SessionConfig, ToolDefinition } from '../../../actors/session-config.ts';
import type { LanguageModel } from '../../../models/ports.ts';
import { checkConversation, contains } from './check-conversation.ts';
import { gradeBy, userOf } from './test-llm.ts';
import type { TestAttempt, TestDefinition, TestResult } from './test-schema.ts';

/** A persona as its tests talk with it. */
export interface TestedPersona {
  readonly config: SessionConfig;
  readonly llm: LanguageModel;
  readonly knowledge: KnowledgeSearch;
  /** Holds a conversation in sound. @throws Error with a message for people. */
  readonly speak: (spoken: SpokenTest) => Promise<HeldConversation>;
}

export type SpokenTest = Omit<SpokenConversationRequest, 'voice' | 'sound'> & {
  readonly audio: NonNullable<TestDefinition['audio']>;
};

export interface RunnableTest {
  readonly id: string;
  readonly name: string;
  readonly definition: TestDefinition;
}

/** Runs one test as often as it asks for. @throws only when the signal is aborted. */
export async function runTest(persona: TestedPersona, test: RunnableTest, signal: AbortSignal): Promise<TestResult> {
  const { repeat, passRate } = test.definition;
  const attempts: TestAttempt[] = [];
  for (let count = 0; count < repeat; count++) {
    signal.throwIfAborted();
    attempts.push(await attempt(persona, test.definition, signal));
  }
  const passed = attempts.filter((one) => one.passed).length;
  return { testId: test.id, name: test.name, passed: passed >= Math.ceil(repeat * passRate - 1e-9), attempts };
}

async function attempt(persona: TestedPersona, definition: TestDefinition, signal: AbortSignal): Promise<TestAttempt> {
  const { config, llm } = persona;
  const problems: string[] = [];
  let conversation: HeldConversation;
  try {
    const user = userOf(definition, llm, signal);
    const runTool: RunTool = async (name, args) => {
      const answer = await answerOf(persona, definition, name, args, signal);
      if (answer !== null) return answer;
      problems.push(`${name} was called and has no mock.`);
      return { error: 'The tool is not available.' };
    };
    const held = { config, llm, user, runTool, signal };
    const { audio } = definition;
    conversation = await (audio === undefined ? holdTextConversation(held) : persona.speak({ ...held, audio }));
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof Error ? error.message : 'The conversation failed.';
    return { ...NO_CONVERSATION, problem: why };
  }
  signal.throwIfAborted();
  const grade = gradeBy(llm, conversation, signal);
  const checks: TestAttempt['checks'] = [];
  for (const check of definition.checks) checks.push(await checkConversation(check, conversation, grade));
  const problem = problems.length === 0 ? null : [...new Set(problems)].join(' ');
  return {
    passed: problem === null && checks.every(({ passed }) => passed),
    problem,
    checks,
    messages: conversation.messages.map(({ role, text, interrupted }) => ({
      role,
      text,
      ...(role === 'persona' && interrupted && { interrupted }),
    })),
    toolCalls: conversation.toolCalls.map((call) => ({
      tool: call.toolName,
      arguments: { ...call.arguments },
      result: call.result ?? call.errorMessage,
    })),
    endReason: conversation.end?.reason ?? null,
    durationSeconds: Math.round(conversation.durationMs) / 1000,
  };
}

const NO_CONVERSATION: TestAttempt = {
  passed: false,
  problem: null,
  checks: [],
  messages: [],
  toolCalls: [],
  endReason: null,
  durationSeconds: 0,
};

/** What a tool answers in a test: its mock, or what the knowledge has. Null: neither. */
async function answerOf(
  { config, knowledge }: TestedPersona,
  definition: TestDefinition,
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<MockedAnswer | null> {
  const mock = definition.mocks.find((one) => one.tool === name && contains(args, one.whenArguments ?? {}));
  if (mock !== undefined) {
    if (mock.error !== undefined) return { error: mock.error };
    return { output: typeof mock.result === 'string' ? mock.result : JSON.stringify(mock.result ?? {}) };
  }
  const tool = config.tools.find((one) => one.name === name);
  if (tool?.kind !== 'rag') return null;
  return searched(tool, args, config, knowledge, signal);
}

/** Searching changes nothing, so it is not only pretended. */
async function searched(
  tool: Extract<ToolDefinition, { kind: 'rag' }>,
  args: Readonly<Record<string, unknown>>,
  { organizationId, zeroDataRetention }: SessionConfig,
  knowledge: KnowledgeSearch,
  signal: AbortSignal,
): Promise<MockedAnswer> {
  try {
    const { output } = await searchKnowledge(tool, args, { organizationId, zeroDataRetention, knowledge, signal });
    return { output };
  } catch (error) {
    return { error: error instanceof Error ? error.message : 'The knowledge search failed.' };
  }
}
