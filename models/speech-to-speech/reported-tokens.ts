import type { Amounts } from '../ports.ts';
import { readTokenCount } from '../token-count.ts';

export type SpeechTokens = Pick<
  Amounts,
  | 'inputTokens'
  | 'cachedInputTokens'
  | 'outputTokens'
  | 'audioInputTokens'
  | 'cachedAudioInputTokens'
  | 'audioOutputTokens'
>;

/** What a server tells of the tokens of one answer. */
export interface ReportedTokens {
  readonly tokens: SpeechTokens;
  /** False: it does not tell of all of them whether they are text or sound, which have different prices. */
  readonly isComplete: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** @param usage of a `response.done` of OpenAI's Realtime protocol. @returns null: it tells nothing. */
export function realtimeTokens(usage: unknown): ReportedTokens | null {
  const of = object(usage);
  const [allInput, allOutput] = [readTokenCount(of['input_tokens']), readTokenCount(of['output_tokens'])];
  if (allInput === undefined || allOutput === undefined) return null;
  // Other servers write these names in the plural.
  const details = object(of['input_token_details'] ?? of['input_tokens_details']);
  const input = partsIn(details);
  const output = partsIn(of['output_token_details'] ?? of['output_tokens_details']);
  return reported(allInput, allOutput, { input, cached: cachedIn(details, input), output });
}

/** @param usage the `usageMetadata` of a message of Gemini Live. @returns null: it tells nothing. */
export function geminiTokens(usage: unknown): ReportedTokens | null {
  const of = object(usage);
  const prompt = readTokenCount(of['promptTokenCount']);
  const answer = readTokenCount(of['responseTokenCount'] ?? of['candidatesTokenCount'] ?? 0);
  if (prompt === undefined || answer === undefined) return null;
  // Its own tools give it text, and what it thinks is text.
  const ofTools = readTokenCount(of['toolUsePromptTokenCount']) ?? 0;
  const thoughts = readTokenCount(of['thoughtsTokenCount']) ?? 0;
  const input = modalitiesIn(of['promptTokensDetails']);
  const output = modalitiesIn(of['responseTokensDetails'] ?? of['candidatesTokensDetails']);
  return reported(prompt + ofTools, answer + thoughts, {
    input: { ...input, text: input.text + ofTools },
    cached: modalitiesIn(of['cacheTokensDetails']),
    output: { ...output, text: output.text + thoughts },
  });
}

interface Parts {
  /** With those of pictures. */
  readonly text: number;
  readonly audio: number;
}

function reported(
  allInput: number,
  allOutput: number,
  { input, cached, output }: Readonly<Record<'input' | 'cached' | 'output', Parts>>,
): ReportedTokens {
  const tokens: Record<keyof SpeechTokens, number> = {
    inputTokens: Math.max(0, input.text - cached.text),
    cachedInputTokens: cached.text,
    outputTokens: output.text,
    audioInputTokens: Math.max(0, input.audio - cached.audio),
    cachedAudioInputTokens: cached.audio,
    audioOutputTokens: output.audio,
  };
  return {
    tokens: Object.fromEntries(Object.entries(tokens).filter(([, amount]) => amount > 0)),
    isComplete: input.text + input.audio >= allInput && output.text + output.audio >= allOutput,
  };
}

function partsIn(details: unknown): Parts {
  const of = object(details);
  const tokens = (name: string): number => readTokenCount(of[name]) ?? 0;
  return { text: tokens('text_tokens') + tokens('image_tokens'), audio: tokens('audio_tokens') };
}

/** Where it is not told which kind they are, text is cached first: the prompt is what comes back in each request. */
function cachedIn(details: Json, input: Parts): Parts {
  const told = details['cached_tokens_details'];
  if (typeof told === 'object' && told !== null) return partsIn(told);
  const all = readTokenCount(details['cached_tokens']) ?? 0;
  const text = Math.min(all, input.text);
  return { text, audio: Math.min(all - text, input.audio) };
}

/** A list of `{ modality, tokenCount }`. */
function modalitiesIn(details: unknown): Parts {
  let [text, audio] = [0, 0];
  for (const { modality, tokenCount } of (Array.isArray(details) ? details : []).map(object))
    if (modality === 'AUDIO') audio += readTokenCount(tokenCount) ?? 0;
    else text += readTokenCount(tokenCount) ?? 0;
  return { text, audio };
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
