import { isFrame, type Frame } from './frames.ts';

/** Text as servers send it in forms of their own, beside or in place of `choices`. One line each. */
const FORMS: readonly ((frame: Frame) => unknown)[] = [
  // Cloudflare, Ollama's /api/generate
  ({ response }) => response,
  // llama.cpp's /completion
  ({ content, stop }) => (typeof stop === 'boolean' ? content : undefined),
  // TGI's /generate_stream
  ({ token }) => (isFrame(token) && token['special'] !== true ? token['text'] : isFrame(token) ? '' : undefined),
  // DashScope, LangServe; agents of n8n; Replicate
  ({ output }) => (isFrame(output) ? (output['text'] ?? output['content']) : listed(output)),
  // Streams of n8n, LangServe and Coze
  ({ type, content }) => (/^(?:item|AIMessageChunk|answer)$/.test(String(type)) ? content : undefined),
  // Vercel's AI SDK
  ({ type, delta, textDelta }) => (type === 'text-delta' ? (delta ?? textDelta) : undefined),
  // Streams of Flowise
  ({ event, data }) => (event === 'token' ? data : undefined),
  // OpenAI's Assistants; a chunk without its list
  ({ delta, choices }) => (choices === undefined ? within(delta, 'content') : undefined),
  // Watsonx
  ({ results }) => (Array.isArray(results) && isFrame(results[0]) ? results[0]['generated_text'] : undefined),
  // Agents of Dify; Flowise, Rasa
  ({ answer }) => answer,
  ({ text, type, delta }) => (type === undefined && delta === undefined ? text : undefined),
  // Baidu
  ({ result, is_end: isEnd }) => (isEnd === undefined ? undefined : result),
  // Cohere
  ({ type, delta }) => (type === 'content-delta' ? within(delta, 'message', 'content', 'text') : undefined),
  // Transformers and those who serve with them
  ({ generated_text: text, token }) => (token === undefined ? text : undefined),
  // OpenAI's Responses
  ({ type, delta }) => (type === 'response.output_text.delta' ? delta : undefined),
];

/** How these servers say, beside the text or behind it, that an answer is over. */
const ENDS: readonly ((frame: Frame) => boolean)[] = [
  ({ done, stop, is_end: isEnd }) => [done, stop, isEnd].includes(true),
  ({ type }) => /^(?:message-end|end|finish|response\.(?:completed|incomplete))$/.test(String(type)),
  ({ event }) => event === 'message_end' || event === 'end',
  ({ object, status }) => object === 'thread.run' && status === 'completed',
  ({ generated_text: text }) => typeof text === 'string',
  ({ choices, finish_reason: reason }) => choices === undefined && typeof reason === 'string',
  // One body without a word on its end.
  ({ event, text, answer, output }) =>
    event === undefined && typeof (text ?? answer ?? within(output, 'content') ?? listed(output)) === 'string',
];

/** @returns a text, also one in pieces. */
const listed = (output: unknown): unknown =>
  Array.isArray(output) && output.every((piece) => typeof piece === 'string') ? output.join('') : output;

function within(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce((inner, name) => (isFrame(inner) ? inner[name] : undefined), value);
}

/** Gateways put the answer of a provider into one of their own. @returns what is inside. */
export function unwrapped(frame: Frame): Frame {
  if (frame['choices'] !== undefined) return frame;
  const inner = [frame['data'], frame['output'], frame['result']].find(
    (one) => isFrame(one) && one['choices'] !== undefined,
  );
  return (inner as Frame | undefined) ?? bodyIn(frame) ?? frame;
}

/** A function behind a gateway puts its answer into a body, mostly as text. */
function bodyIn({ body }: Frame): Frame | undefined {
  if (isFrame(body)) return body;
  if (typeof body !== 'string' || !body.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(body) as Frame;
  } catch {
    return undefined;
  }
}

/** @returns the frame in the form of a chat completion; undefined when it is none of these. */
export function choiceInForeignForm(frame: Frame): Frame | undefined {
  const called = choiceWithCalls(frame);
  if (called !== undefined) return called;
  const isOver = ENDS.some((ends) => ends(frame));
  const said = FORMS.map((textOf) => textOf(frame)).find((one) => typeof one === 'string' || Array.isArray(one));
  const text = said ?? (isOver ? '' : undefined);
  if (text === undefined) return undefined;
  const inner =
    within(frame, 'delta', 'finish_reason') ??
    within(frame, 'response_metadata', 'finish_reason') ??
    frame['finish_reason'] ??
    within(frame, 'output', 'finish_reason') ??
    endOfWatsonx(frame);
  const named =
    frame['type'] === 'response.incomplete' ? 'length' : frame['type'] === 'response.completed' ? 'stop' : null;
  return {
    delta: { content: text },
    finish_reason: named ?? frame['done_reason'] ?? inner ?? (isOver ? 'stop' : null),
  };
}

function endOfWatsonx({ results }: Frame): unknown {
  const reason: unknown = Array.isArray(results) && isFrame(results[0]) ? results[0]['stop_reason'] : undefined;
  return reason === 'not_finished' ? undefined : reason;
}

/** A call in the form of OpenAI's Responses: as an item of the stream, or of the whole answer; or in that of Cohere. */
function choiceWithCalls(frame: Frame): Frame | undefined {
  const { type, item, index, output, object } = frame;
  if (type === 'response.output_item.done' && isFrame(item) && item['type'] === 'function_call')
    return { delta: { tool_calls: [callOf(item, frame['output_index'])] } };
  if (type === 'tool-call-start' || type === 'tool-call-delta') {
    const call = within(frame, 'delta', 'message', 'tool_calls');
    return isFrame(call) ? { delta: { tool_calls: [{ ...call, index }] } } : undefined;
  }
  if (object !== 'response' || !Array.isArray(output)) return undefined;
  const items = output.filter((one) => isFrame(one));
  const calls = items.filter((one) => one['type'] === 'function_call').map(callOf);
  const content = items.filter((one) => one['type'] === 'message').map((one) => one['content']);
  const finish = frame['status'] === 'incomplete' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  return { delta: { content: content.flat(), ...(calls.length > 0 && { tool_calls: calls }) }, finish_reason: finish };
}

const callOf = ({ call_id: id, name, arguments: args }: Frame, index: unknown): Frame => ({
  index,
  id,
  function: { name, arguments: args },
});
