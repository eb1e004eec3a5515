import type { ToolSpec } from '../../models/ports.ts';
import type { SystemAction } from '../session-config.ts';
import { languageName } from '../phrases/language-names.ts';
import { parseLanguageCode } from '../settings/languages.ts';
import { includesLanguage, languageNames, type SessionLanguages } from '../settings/session-languages.ts';
import { parseToolArguments } from './tool-arguments.ts';

/** The tools that the service itself runs: how a model sees them and what their arguments mean. */

/** Longest wait that `skip_turn` can ask for: the range of the silence prompt itself. */
export const SKIP_TURN_MAX_SECONDS = 900;
export const SKIP_TURN_DEFAULT_SECONDS = 30;
export const PAUSE_MAX_SECONDS = 600;

interface SystemTool {
  /** What the LLM reads unless the customer saved a description of their own. */
  readonly description: string;
  /** JSON Schema of the arguments. Ranges stand in words: a value outside of them is brought inside, not refused. */
  readonly parameters: Record<string, unknown>;
}

/** One catalogue: the control plane offers these, the LLM reads them, and calls are checked against them. */
export const SYSTEM_TOOLS: Readonly<Record<SystemAction, SystemTool>> = {
  change_language: {
    description:
      'Change the language in which the user is understood (speech recognition). Call it when the user speaks or asks for another language.',
    parameters: object({ language_code: { type: 'string', description: 'ISO 639-1 code, for example "de".' } }, [
      'language_code',
    ]),
  },
  skip_turn: {
    description: 'Say nothing now and let the user think or do something. Call it when the user asks for a moment.',
    parameters: object({
      timeout_seconds: {
        type: 'number',
        description: `How long to wait before speaking first. Default ${SKIP_TURN_DEFAULT_SECONDS}, at most ${SKIP_TURN_MAX_SECONDS}.`,
      },
    }),
  },
  pause_conversation: {
    description:
      'Stay quiet for up to 10 minutes; the user ends the pause by speaking. Call it when the user wants a break.',
    parameters: object({
      duration_seconds: { type: 'number', description: `1 to ${PAUSE_MAX_SECONDS}. Default ${PAUSE_MAX_SECONDS}.` },
    }),
  },
  end_call: {
    description:
      'End the conversation. Ask the user first, and call it with confirmed=true once the user agreed or plainly asked to end. Do not say goodbye yourself: it is spoken for you.',
    parameters: object({
      confirmed: { type: 'boolean', description: 'True when the user agreed to end the conversation.' },
    }),
  },
  interrupt: { description: 'Stop speaking at once.', parameters: object({}) },
};

function object(properties: Record<string, unknown>, required: readonly string[] = []): Record<string, unknown> {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

export function isSystemAction(text: string): text is SystemAction {
  return Object.hasOwn(SYSTEM_TOOLS, text);
}

/**
 * A system tool as the LLM sees it: under the persona's name for it, which need not be the action's, and with the
 * description that the customer saved. The arguments are always the service's own.
 */
export function systemToolSpec(
  tool: { action: SystemAction; name: string; description: string },
  languages: SessionLanguages,
): ToolSpec {
  const { description, parameters } = SYSTEM_TOOLS[tool.action];
  return {
    name: tool.name,
    description: tool.description.trim() === '' ? description : tool.description,
    parameters: tool.action === 'change_language' ? languageParameters(languages) : parameters,
  };
}

/** Names the languages that are understood, so that the LLM does not promise another one. */
function languageParameters({ recognized }: SessionLanguages): Record<string, unknown> {
  const { parameters } = SYSTEM_TOOLS.change_language;
  if (recognized === 'any') return parameters;
  const description = `ISO 639-1 code, one of ${recognized.map((code) => `"${code}"`).join(', ')}.`;
  return object({ language_code: { type: 'string', description } }, ['language_code']);
}

/** What a call asks for, with the defaults filled in and the ranges applied. Durations in seconds. */
export type SystemRequest =
  | { readonly action: 'change_language'; readonly language: string }
  | { readonly action: 'skip_turn'; readonly seconds: number }
  | { readonly action: 'pause_conversation'; readonly seconds: number }
  | { readonly action: 'end_call'; readonly confirmed: boolean }
  | { readonly action: 'interrupt' };

export type SystemArguments =
  | { readonly ok: true; readonly request: SystemRequest; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/** @param text the arguments as JSON, as the model wrote them. */
export function parseSystemArguments(
  action: SystemAction,
  text: string,
  { recognized }: SessionLanguages,
): SystemArguments {
  const parsed = parseToolArguments(text, SYSTEM_TOOLS[action].parameters);
  if (!parsed.ok) return parsed;
  const { args } = parsed;
  switch (action) {
    case 'change_language': {
      const language = parseLanguageCode(String(args['language_code']));
      if (language === null)
        return { ok: false, problem: `The language "${String(args['language_code']).slice(0, 40)}" is not supported.` };
      if (recognized !== 'any' && !recognized.includes(language))
        return {
          ok: false,
          problem: `Speech recognition does not understand ${languageName(language)}. It understands ${languageNames(recognized)}.`,
        };
      return { ok: true, args, request: { action, language } };
    }
    case 'skip_turn':
      return seconds(
        args,
        'timeout_seconds',
        { above: 0, default: SKIP_TURN_DEFAULT_SECONDS, cap: SKIP_TURN_MAX_SECONDS },
        (value) => ({ action, seconds: value }),
      );
    case 'pause_conversation':
      return seconds(
        args,
        'duration_seconds',
        { above: 0.999, default: PAUSE_MAX_SECONDS, cap: PAUSE_MAX_SECONDS },
        (value) => ({ action, seconds: value }),
      );
    case 'end_call':
      return { ok: true, args, request: { action, confirmed: args['confirmed'] === true } };
    case 'interrupt':
      return { ok: true, args, request: { action } };
  }
}

function seconds(
  args: Readonly<Record<string, unknown>>,
  key: string,
  range: { above: number; default: number; cap: number },
  request: (value: number) => SystemRequest,
): SystemArguments {
  const value = args[key] ?? range.default;
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= range.above)
    return {
      ok: false,
      problem: `${key} must be a number of seconds, ${range.above < 0.5 ? 'more than 0' : 'at least 1'}.`,
    };
  return { ok: true, args, request: request(Math.min(value, range.cap)) };
}

/** What the model is told once the service has done it. */
export function systemToolOutput(request: SystemRequest, languages: SessionLanguages): string {
  switch (request.action) {
    case 'change_language':
      return languageOutput(request.language, languages);
    case 'skip_turn':
      return `The turn is skipped. Say nothing; the user has ${request.seconds} seconds.`;
    case 'pause_conversation':
      return `The conversation is paused for up to ${request.seconds} seconds. Say nothing.`;
    case 'end_call':
      return request.confirmed
        ? 'The conversation is ending; the goodbye is spoken for you.'
        : 'Not ended yet. Ask the user in one short sentence whether to end the conversation, and call end_call again with confirmed=true only after a yes.';
    case 'interrupt':
      return 'Stopped speaking.';
  }
}

/** What the model is told when the user spoke before the pause or the goodbye began. */
export function withdrawnOutput(action: 'end_call' | 'pause_conversation'): string {
  return action === 'end_call'
    ? 'Not ended: the user spoke before the goodbye. Go on with the conversation. Call end_call again only if the user still wants to end.'
    : 'Not paused: the user spoke. Go on with the conversation. Call pause_conversation again only if a pause is still wanted.';
}

function languageOutput(code: string, { spoken }: SessionLanguages): string {
  const language = languageName(code);
  const heard = `Speech recognition now listens for ${language}.`;
  if (includesLanguage(spoken, code) || spoken === 'any') return heard;
  return `${heard} Your voice does not speak ${language}: it speaks ${languageNames(spoken)}, so answer in that.`;
}
