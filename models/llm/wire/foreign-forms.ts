import { isFrame, type Frame } from './frames.ts';

/** Text as servers send it in forms of their own, beside or in place of `choices`. One line each. */
const FORMS: readonly ((frame: Frame) => unknown)[] = [
  // Cloudflare, Ollama's /api/generate
  ({ response }) => response,
  // llama.cpp's /completion
  ({ content, stop }) => (typeof stop === 'boolean' ? content : undefined),
  // TGI's /generate_stream
  ({ token }) => (isFrame(token) && token['special'] !== true ? token['text'] : isFrame(token) ? '' : undefined),
  // OpenAI's Responses
  ({ type, delta }) => (type === 'response.output_text.delta' ? delta : undefined),
  ({ type }) => (type === 'response.completed' || type === 'response.incomplete' ? '' : undefined),
];

/** @returns the frame in the form of a chat completion; undefined when it is none of these. */
export function choiceInForeignForm(frame: Frame): Frame | undefined {
  const text = FORMS.map((textOf) => textOf(frame)).find((one) => typeof one === 'string');
  if (text === undefined) return undefined;
  const isOver = frame['done'] === true || frame['stop'] === true || typeof frame['generated_text'] === 'string';
  const named =
    frame['type'] === 'response.incomplete' ? 'length' : frame['type'] === 'response.completed' ? 'stop' : null;
  return { delta: { content: text }, finish_reason: named ?? frame['done_reason'] ?? (isOver ? 'stop' : null) };
}
