import type { PersonaTest, TestCheck, TestInput } from './test-api.ts';

export type CheckKind = TestCheck['kind'];
type Audio = NonNullable<PersonaTest['audio']>;

/** A check as the form has it: texts, one line each. */
export interface CheckDraft {
  readonly kind: CheckKind;
  /** Words, a tool, a reason, a rubric or milliseconds, by kind. */
  readonly text: string;
  /** Of a tool, as JSON; empty: any. */
  readonly args: string;
}

/** An answer of a tool as the form has it. */
export interface MockDraft {
  readonly tool: string;
  readonly answer: string;
  readonly fails: boolean;
  /** Only with these arguments. They are kept as they are. */
  readonly whenArguments: Readonly<Record<string, unknown>> | undefined;
}

/** How the user sounds, as the form has it. */
export interface SoundDraft {
  /** Empty: an offline voice. */
  readonly voiceId: string;
  readonly noise: 'none' | 'fan' | 'keyboard';
  readonly voiceToNoiseDb: string;
  /** Numbers of the lines that begin while the persona talks, such as `2, 4`. */
  readonly interruptions: string;
  readonly afterMs: string;
}

export const EMPTY_SOUND: SoundDraft = {
  voiceId: '',
  noise: 'none',
  voiceToNoiseDb: '20',
  interruptions: '',
  afterMs: '1000',
};

export interface TestDraft {
  readonly name: string;
  readonly userKind: 'lines' | 'simulated';
  readonly lines: string;
  readonly goal: string;
  readonly manner: string;
  readonly maxTurns: string;
  /** Null: the test is held in text. */
  readonly sound: SoundDraft | null;
  readonly mocks: readonly MockDraft[];
  readonly checks: readonly CheckDraft[];
  readonly repeat: string;
  /** Percent. */
  readonly passRate: string;
}

export const CHECK_NAMES: Readonly<Record<CheckKind, string>> = {
  said: 'Says one of',
  notSaid: 'Says none of',
  toolCalled: 'Calls the tool',
  toolNotCalled: 'Does not call the tool',
  ended: 'Ends by',
  graded: 'Graded by the LLM',
  latency: 'Answers within, in ms',
  heard: 'Understands one of',
  interrupted: 'Stops for the user, times',
};

export const END_REASONS: readonly (readonly [string, string])[] = [
  ['client_disconnected', 'the user hangs up'],
  ['end_call', 'the persona ends it'],
  ['user_inactivity', 'silence'],
  ['max_session_length', 'its longest length'],
];

export const EMPTY_CHECK: CheckDraft = { kind: 'said', text: '', args: '' };

export function draftOfTest(test: PersonaTest | null): TestDraft {
  const simulated = test?.user.kind === 'simulated' ? test.user : null;
  return {
    name: test?.name ?? '',
    userKind: test?.user.kind ?? 'lines',
    lines: test?.user.kind === 'lines' ? test.user.lines.join('\n') : '',
    goal: simulated?.goal ?? '',
    manner: simulated?.manner ?? '',
    maxTurns: String(simulated?.maxTurns ?? 8),
    sound: test?.audio === undefined ? null : soundDraftOf(test.audio),
    mocks: (test?.mocks ?? []).map(({ tool, result, error, whenArguments }) => ({
      tool,
      answer: error ?? (typeof result === 'string' ? result : result === undefined ? '' : JSON.stringify(result)),
      fails: error !== undefined,
      whenArguments,
    })),
    checks: test?.checks.map(checkDraftOf) ?? [EMPTY_CHECK],
    repeat: String(test?.repeat ?? 1),
    passRate: String(Math.round((test?.passRate ?? 1) * 100)),
  };
}

function soundDraftOf({ voiceId, noise, voiceToNoiseDb, interruptions }: Audio): SoundDraft {
  return {
    voiceId: voiceId ?? '',
    noise,
    voiceToNoiseDb: String(voiceToNoiseDb),
    interruptions: interruptions.map(({ line }) => line).join(', '),
    afterMs: String(interruptions[0]?.afterMs ?? EMPTY_SOUND.afterMs),
  };
}

function audioOf({ voiceId, noise, voiceToNoiseDb, interruptions, afterMs }: SoundDraft): Audio {
  const lines = interruptions.match(/\d+/g) ?? [];
  return {
    ...(voiceId !== '' && { voiceId }),
    noise,
    voiceToNoiseDb: Number(voiceToNoiseDb),
    interruptions: lines.map((line) => ({ line: Number(line), afterMs: Number(afterMs) })),
  };
}

function checkDraftOf(check: TestCheck): CheckDraft {
  const { kind } = check;
  switch (check.kind) {
    case 'said':
    case 'notSaid':
      return { kind, text: check.anyOf.join('\n'), args: '' };
    case 'toolCalled':
      return { kind, text: check.tool, args: check.arguments === undefined ? '' : JSON.stringify(check.arguments) };
    case 'toolNotCalled':
      return { kind, text: check.tool, args: '' };
    case 'ended':
      return { kind, text: check.reason, args: '' };
    case 'graded':
      return { kind, text: check.rubric, args: '' };
    case 'latency':
      return { kind, text: String(check.withinMs), args: '' };
    case 'heard':
      return { kind, text: check.anyOf.join('\n'), args: '' };
    case 'interrupted':
      return { kind, text: String(check.times), args: '' };
  }
}

/** What the API is sent. @throws SyntaxError for arguments that are no JSON. */
export function inputOfTest(draft: TestDraft): TestInput {
  return {
    name: draft.name,
    user:
      draft.userKind === 'lines'
        ? { kind: 'lines', lines: linesOf(draft.lines) }
        : { kind: 'simulated', goal: draft.goal, manner: draft.manner, maxTurns: Number(draft.maxTurns) },
    ...(draft.sound !== null && { audio: audioOf(draft.sound) }),
    mocks: draft.mocks.map(({ tool, answer, fails, whenArguments }) => ({
      tool,
      ...(whenArguments !== undefined && { whenArguments }),
      ...(fails ? { error: answer } : { result: answer }),
    })),
    checks: draft.checks.map(checkOf),
    repeat: Number(draft.repeat),
    passRate: Number(draft.passRate) / 100,
  };
}

function checkOf({ kind, text, args }: CheckDraft): TestCheck {
  switch (kind) {
    case 'said':
    case 'notSaid':
    case 'heard':
      return { kind, anyOf: [...linesOf(text)] };
    case 'toolCalled':
      return {
        kind,
        tool: text,
        ...(args.trim() !== '' && { arguments: JSON.parse(args) as Record<string, unknown> }),
      };
    case 'toolNotCalled':
      return { kind, tool: text };
    case 'ended':
      return { kind, reason: (text || 'client_disconnected') as Extract<TestCheck, { kind: 'ended' }>['reason'] };
    case 'graded':
      return { kind, rubric: text };
    case 'latency':
      return { kind, withinMs: Number(text) };
    case 'interrupted':
      return { kind, times: Number(text || 1) };
  }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
