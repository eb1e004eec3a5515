import type { LlmMessage, LlmRequest, LlmToolCall, ToolSpec } from '../../ports.ts';
import { mergeParticipants, INSTRUCTION } from './meeting.ts';
import { detectLanguage, LANGUAGES } from './languages/index.ts';
import { en } from './languages/en.ts';
import type { Language } from './languages/language.ts';
import { wordsOf } from './words.ts';

/** What the offline LLM knows from one request. It has no memory. */
export interface Scene {
  readonly now: Date;
  readonly languageCode: string;
  readonly language: Language;
  /** The user's last words, unchanged. Empty: the user has not spoken yet. */
  readonly said: string;
  /** The same in lower case, with single spaces. */
  readonly words: readonly string[];
  readonly heard: string;
  /** The last instruction of the service itself. */
  readonly instruction: 'greet' | 'prompt' | null;
  /** The operator's text about the persona. */
  readonly personaPrompt: string;
  readonly userMessages: readonly string[];
  readonly ownMessages: readonly string[];
  readonly userName: string | null;
  readonly tools: readonly ToolSpec[];
  /** Calls of this turn, with their results. */
  readonly results: readonly { readonly call: LlmToolCall; readonly output: string }[];
  /** Whether the step with those calls also had text. */
  readonly spokeBeforeTools: boolean;
}

/** A text to say, a tool to call (with a text to say meanwhile), or silence. */
export type Answer =
  | { readonly say: string }
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>>; readonly say?: string }
  | { readonly quiet: true };

/** One skill of the offline LLM. Null: it does not apply. */
export type Answerer = (scene: Scene) => Answer | null;

/** The beginning of the service's own guidance, which follows the operator's text in the system prompt. */
const GUIDANCE = /\n*You are talking with a person by voice and video\.[\s\S]*$/;
const INTERRUPTED_MARK = /\s*\[interrupted\]$/;

export function readScene(asked: LlmRequest, now: Date): Scene {
  const messages = mergeParticipants(asked.messages);
  const request = { ...asked, messages };
  const last = messages.at(-1);
  const isInstruction = (message: LlmMessage | undefined): boolean =>
    message?.role === 'user' && INSTRUCTION.test(message.content);
  const spoken = messages.filter((message) => message.role !== 'system' && !isInstruction(message));
  const userMessages = spoken.filter(({ role }) => role === 'user').map(({ content }) => content);
  const ownMessages = spoken
    .filter(({ role, content }) => role === 'assistant' && content !== '')
    .map(({ content }) => content.replace(INTERRUPTED_MARK, ''));
  const said = userMessages.at(-1) ?? '';
  const words = wordsOf(said);
  const languageCode = languageOf(request, userMessages);
  const prompt = messages[0]?.role === 'system' ? messages[0].content.replace(GUIDANCE, '').trim() : '';
  return {
    now,
    languageCode,
    language: LANGUAGES[languageCode] ?? en,
    said,
    words,
    heard: words.join(' '),
    instruction: isInstruction(last) || spoken.length === 0 ? (spoken.length === 0 ? 'greet' : 'prompt') : null,
    personaPrompt: prompt,
    userMessages,
    ownMessages,
    userName: nameIn(userMessages),
    tools: request.tools,
    ...resultsOf(messages),
  };
}

/** The last sign counts: a requested change, or the words of a language. Otherwise the session's language. */
function languageOf(request: LlmRequest, userMessages: readonly string[]): string {
  const known = (code: string | null | undefined): code is string =>
    typeof code === 'string' && Object.hasOwn(LANGUAGES, code);
  for (const message of request.messages.toReversed()) {
    const changed =
      message.role === 'assistant'
        ? message.toolCalls?.map((call) => /"language_code"\s*:\s*"(\w\w)/.exec(call.arguments)?.[1]).find(known)
        : undefined;
    if (known(changed)) return changed;
    if (message.role !== 'user' || !userMessages.includes(message.content)) continue;
    const detected = detectLanguage(wordsOf(message.content));
    if (known(detected)) return detected;
  }
  return known(request.language) ? request.language : 'en';
}

/** "I'm Anna" counts only with a capital letter. Recognized speech has none, and "I'm tired" would be a name. */
const I_AM = /\bI(?:'|’)?(?: a)?m\s+(\p{Lu}[\p{L}'-]+)(?=[\s,.!]|$)/u;

function nameIn(userMessages: readonly string[]): string | null {
  for (const message of userMessages.toReversed()) {
    const words = wordsOf(message).join(' ');
    const named =
      Object.values(LANGUAGES)
        .map(({ hears }) => hears.myNameIs.exec(words)?.[1])
        .find((name) => name !== undefined) ?? I_AM.exec(message)?.[1];
    if (named !== undefined) return `${named[0]?.toUpperCase()}${named.slice(1)}`;
  }
  return null;
}

function resultsOf(messages: readonly LlmMessage[]): Pick<Scene, 'results' | 'spokeBeforeTools'> {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const turn = messages.slice(lastUser + 1);
  const outputs = new Map(
    turn.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId, message.content] as const] : [])),
  );
  const steps = turn.flatMap((message) =>
    message.role === 'assistant' && message.toolCalls !== undefined ? [message] : [],
  );
  const results = steps
    .flatMap(({ toolCalls }) => toolCalls ?? [])
    .map((call) => ({ call, output: outputs.get(call.id) ?? '' }));
  return {
    results: messages.at(-1)?.role === 'tool' ? results : [],
    spokeBeforeTools: (steps.at(-1)?.content ?? '') !== '',
  };
}

/** One of several variants: not one that was said lately, and the same for the same conversation. */
export function choose(scene: Scene, variants: readonly string[], topic = ''): string {
  const filled = variants.map((variant) =>
    variant.replace('{name}', scene.userName === null ? '' : `, ${scene.userName}`).replace('{topic}', topic),
  );
  const lately = scene.ownMessages.slice(-4).join('\n');
  const fresh = filled.filter((text) => !lately.includes(text));
  const from = fresh.length > 0 ? fresh : filled;
  return from[scene.ownMessages.length % from.length] ?? '';
}
