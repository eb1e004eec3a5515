import { isFrame, type Frame } from './frames.ts';

/** Text and reasoning of one piece of an answer. */
export interface Content {
  readonly text: string;
  readonly reasoning: string;
}

/** Fields of other names that hold reasoning as text. The first that is there counts: some servers send it twice. */
const REASONING_FIELDS = [
  'reasoning_content',
  'reasoning',
  'thinking',
  'thinking_content',
  'reasoning_text',
  'thought',
];

/** Content is a text, or a list of parts, with reasoning among them or beside them; a refusal is said like an answer. */
export function contentOf(delta: Frame): Content {
  const parts = partsOf(delta['content'], 'text');
  const refusal = typeof delta['refusal'] === 'string' ? delta['refusal'] : '';
  const beside = REASONING_FIELDS.map((name) => partsOf(delta[name], 'reasoning').reasoning).find(
    (text) => text !== '',
  );
  const details = beside === undefined ? partsOf(delta['reasoning_details'], 'reasoning').reasoning : beside;
  return { text: parts.text + refusal, reasoning: parts.reasoning + details };
}

function partsOf(content: unknown, as: 'text' | 'reasoning'): Content {
  if (typeof content === 'string')
    return as === 'text' ? { text: content, reasoning: '' } : { text: '', reasoning: content };
  if (typeof content === 'number') return partsOf(String(content), as);
  if (Array.isArray(content)) {
    const parts = content.map((part) => partsOf(part, as));
    return {
      text: parts.map(({ text }) => text).join(''),
      reasoning: parts.map(({ reasoning }) => reasoning).join(''),
    };
  }
  if (!isFrame(content)) return { text: '', reasoning: '' };
  const type = typeof content['type'] === 'string' ? content['type'] : '';
  if (/encrypted|redacted|image|audio|file|tool/.test(type)) return { text: '', reasoning: '' };
  const inside = as === 'reasoning' || /think|reason|thought/.test(type) ? 'reasoning' : 'text';
  const value = ['text', 'thinking', 'reasoning', 'refusal', 'summary', 'content', 'output_text', 'value', 'parts']
    .map((name) => content[name])
    .find((one) => typeof one === 'string' || Array.isArray(one) || isFrame(one));
  return partsOf(value, inside);
}
