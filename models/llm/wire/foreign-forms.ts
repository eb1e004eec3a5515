import { isFrame, type Frame } from './frames.ts';

/** Text as servers send it in forms of their own, beside or in place of `choices`. One line each. */
const FORMS: readonly ((frame: Frame) => unknown)[] = [
  // Cloudflare, Ollama's /api/generate
  ({ response }) => response,
  // llama.cpp's /completion
  ({ content, stop }) => (typeof stop === 'boolean' ? content : undefined),
  // TGI's /generate_stream
  ({ token }) => (isFrame(token) && token['special'] !== true ? token['text'] : isFrame(token) ? '' : undefined),
  // DashScope
  ({ output }) => (isFrame(output) ? output['text'] : undefined),
  // Baidu
  ({ result, is_end: isEnd }) => (isEnd === undefined ? undefined : result),
  // Cohere
  ({ type, delta }) => (type === 'content-delta' ? within(delta, 'message', 'content', 'text') : undefined),
  ({ type }) => (type === 'message-end' ? '' : undefined),
  // Transformers and those who serve with them
  ({ generated_text: text, token }) => (token === undefined ? text : undefined),
  // OpenAI's Responses
  ({ type, delta }) => (type === 'response.output_text.delta' ? delta : undefined),
  ({ type }) => (type === 'response.completed' || type === 'response.incomplete' ? '' : undefined),
];

function within(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce((inner, name) => (isFrame(inner) ? inner[name] : undefined), value);
}

/** Gateways put the answer of a provider into one of their own. @returns what is inside. */
export function unwrapped(frame: Frame): Frame {
  if (frame['choices'] !== undefined) return frame;
  const inner = [frame['data'], frame['output'], frame['result'], frame['body']].find(
    (one) => isFrame(one) && one['choices'] !== undefined,
  );
  return (inner as Frame | undefined) ?? frame;
}

/** @returns the frame in the form of a chat completion; undefined when it is none of these. */
export function choiceInForeignForm(frame: Frame): Frame | undefined {
  const text = FORMS.map((textOf) => textOf(frame)).find((one) => typeof one === 'string');
  if (text === undefined) return undefined;
  const isOver =
    [frame['done'], frame['stop'], frame['is_end']].includes(true) ||
    typeof frame['generated_text'] === 'string' ||
    frame['type'] === 'message-end';
  const inner = within(frame, 'delta', 'finish_reason') ?? within(frame, 'output', 'finish_reason');
  const named =
    frame['type'] === 'response.incomplete' ? 'length' : frame['type'] === 'response.completed' ? 'stop' : null;
  return {
    delta: { content: text },
    finish_reason: named ?? frame['done_reason'] ?? inner ?? (isOver ? 'stop' : null),
  };
}
