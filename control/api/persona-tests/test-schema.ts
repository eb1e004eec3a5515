import { z } from 'zod';
import { variableValues } from '../personas/persona-variables.ts';
import { jsonObject, timestamp, uuid } from '../../http/schemas.ts';

/** Tests of one persona. */
export const MAX_TESTS = 500;
const MAX_LINES = 100;
const text = z.string().trim().min(1).max(4000);
const texts = z.array(text).min(1).max(20);
const toolName = z.string().min(1).max(128);

const userLines = z
  .object({ kind: z.literal('lines'), lines: z.array(text).max(MAX_LINES) })
  .describe('A user who says these lines, each after the persona has answered the one before, and then hangs up.');

const simulatedUser = z
  .object({
    kind: z.literal('simulated'),
    goal: text.describe('What the user wants. The LLM of the persona plays the user.'),
    manner: z.string().trim().max(1000).default('').describe('How the user talks.'),
    maxTurns: z.number().int().min(1).max(30).default(8).describe('After so many lines the user hangs up.'),
  })
  .describe('A user who pursues a goal.');

const interruption = z.object({
  line: z.number().int().min(1).max(MAX_LINES).describe('Counted from 1. Line 1 interrupts the greeting.'),
  afterMs: z.number().int().min(0).max(60_000).default(1000).describe('So long the persona has been talking by then.'),
});

const audio = z
  .object({
    voiceId: uuid.optional().describe("Without it: an offline voice of the persona's language."),
    noise: z
      .enum(['none', 'fan', 'keyboard'])
      .default('none')
      .describe('What is heard beside the user: a fan or traffic far away, or somebody who types.'),
    voiceToNoiseDb: z.number().min(0).max(40).default(20).describe('How much louder the voice is than the noise.'),
    interruptions: z.array(interruption).max(20).default([]).describe('Lines that begin while the persona talks.'),
  })
  .describe(
    'The user speaks, and is understood by the recognizer of calls; the persona answers with its voice. ' +
      'It takes as long as a call. Without it the test is held in text.',
  );

const mock = z.object({
  tool: toolName,
  whenArguments: jsonObject
    .optional()
    .describe('Only for calls with these arguments; others may be there, too. The first mock that fits answers.'),
  result: z
    .union([z.string().max(50_000), jsonObject])
    .optional()
    .describe('What the tool answers.'),
  error: z.string().max(2000).optional().describe('The tool fails, with this message.'),
});

const endReasons = z.enum(['client_disconnected', 'end_call', 'user_inactivity', 'max_session_length', 'engine_error']);

export const testCheck = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('said'),
    anyOf: texts.describe('The persona says one of them, in any letters and spaces, anywhere.'),
  }),
  z.object({ kind: z.literal('notSaid'), anyOf: texts.describe('The persona says none of them.') }),
  z.object({
    kind: z.literal('toolCalled'),
    tool: toolName,
    arguments: jsonObject.optional().describe('With at least these arguments.'),
  }),
  z.object({ kind: z.literal('toolNotCalled'), tool: toolName }),
  z.object({
    kind: z.literal('ended'),
    reason: endReasons.describe('`client_disconnected`: the user hung up. `end_call`: the persona did.'),
  }),
  z.object({
    kind: z.literal('graded'),
    rubric: text.describe('The LLM of the persona reads the conversation and says whether this is true of it.'),
  }),
  z.object({
    kind: z.literal('latency'),
    withinMs: z.number().int().min(1).max(60_000).describe('Each answer is heard within this time after the user.'),
  }),
  z.object({
    kind: z.literal('heard'),
    anyOf: texts.describe('One of them is understood of what the user says.'),
  }),
  z.object({
    kind: z.literal('interrupted'),
    times: z.number().int().min(0).max(20).default(1).describe('So often the persona stops for the user.'),
  }),
]);
export type TestCheck = z.infer<typeof testCheck>;

export const testDefinition = z.object({
  user: z.discriminatedUnion('kind', [userLines, simulatedUser]),
  audio: audio.optional(),
  mocks: z.array(mock).max(50).default([]).describe('What tools answer. No webhook is called in a test.'),
  checks: z.array(testCheck).max(50).default([]),
  repeat: z.number().int().min(1).max(20).default(1).describe('How often it is run: LLMs do not always say the same.'),
  passRate: z.number().min(0.05).max(1).default(1).describe('Share of the repetitions that have to pass.'),
});
export type TestDefinition = z.infer<typeof testDefinition>;

export const createTest = z.object({ name: z.string().trim().min(1).max(255), ...testDefinition.shape }).meta({
  id: 'CreatePersonaTest',
  examples: [
    {
      name: 'Tells the opening hours',
      user: { kind: 'lines', lines: ['When do you open?'] },
      checks: [{ kind: 'said', anyOf: ['nine', '9'] }],
    },
  ],
});

export const testResponse = z
  .object({
    id: uuid,
    personaId: uuid,
    name: z.string(),
    ...testDefinition.shape,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'PersonaTest' });
export type TestResponse = z.infer<typeof testResponse>;

export const fromSession = z
  .object({ sessionId: uuid, name: z.string().trim().min(1).max(255).optional() })
  .meta({ id: 'PersonaTestFromSession', examples: [{ sessionId: '55570235-b6dc-408d-a813-fca590687906' }] });

const version = z.union([z.number().int().min(1).max(999_999_999), z.literal('draft')]);

export const startRun = z
  .object({
    version: version.optional().describe('What is tested: a version, or `draft`. Without it: what is live.'),
    variableValues: variableValues.optional(),
    testIds: z.array(uuid).min(1).max(MAX_TESTS).optional().describe('Without it: all tests of the persona.'),
  })
  .meta({ id: 'RunPersonaTests', examples: [{ version: 'draft' }] });

const attempt = z.object({
  passed: z.boolean(),
  problem: z.string().nullable().describe('Why there was no whole conversation.'),
  checks: z.array(z.object({ kind: z.string(), what: z.string(), passed: z.boolean(), why: z.string() })),
  messages: z.array(
    z.object({
      role: z.enum(['user', 'persona']),
      text: z.string().describe('Of the persona only what was heard. Of a user who speaks, what was understood.'),
      interrupted: z.boolean().optional().describe('Only where the user interrupted it.'),
    }),
  ),
  toolCalls: z.array(z.object({ tool: z.string(), arguments: jsonObject, result: z.string().nullable() })),
  endReason: z.string().nullable(),
  durationSeconds: z.number().describe('Of the conversation, on its own clock.'),
});
export type TestAttempt = z.infer<typeof attempt>;

export const testResult = z.object({
  testId: uuid,
  name: z.string(),
  passed: z.boolean(),
  attempts: z.array(attempt),
});
export type TestResult = z.infer<typeof testResult>;

export const runSummary = z
  .object({
    id: uuid,
    version: version,
    status: z.enum(['queued', 'running', 'passed', 'failed', 'cancelled']),
    total: z.number().int(),
    passed: z.number().int(),
    failed: z.number().int(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'PersonaTestRunSummary' });

export const runResponse = runSummary
  .extend({ results: z.array(testResult).describe('In the order of the tests.') })
  .meta({ id: 'PersonaTestRun' });
