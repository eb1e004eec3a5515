import {
  addContext,
  addPersona,
  addToolCalls,
  addUser,
  EMPTY_HISTORY,
  setToolOutput,
  type ConversationHistory,
} from '../../actors/history/conversation-history.ts';
import { llmMessages } from '../../actors/history/history-window.ts';
import { seededIds } from '../../actors/kernel/seeded-ids.ts';
import { serviceMark } from '../../actors/phrases/service-mark.ts';
import { retryKind } from '../../models/llm/index.ts';
import type { LanguageModel, LlmNotice, LlmToolCall, ToolSpec } from '../../models/ports.ts';

/** Ten minutes of a conversation as a session asks them of its LLM, with everything that happens in one. */

const PROMPT = 'You are Ada, a guide of the harbor museum. Answer briefly.';
const object = (properties: Record<string, unknown>, more: object = {}) => ({ type: 'object', properties, ...more });

const MARK = serviceMark(seededIds('a conversation with ten servers'));

/** The last two are as MCP servers have them: without properties, and with a choice at the top. */
const TOOLS: readonly ToolSpec[] = [
  {
    name: 'get_weather',
    description: 'Weather.',
    parameters: object({ city: { type: 'string' } }, { required: ['city'] }),
  },
  { name: 'get_time', description: 'Time.', parameters: object({ city: { type: 'string' } }) },
  { name: 'Shop_list_items', description: 'Items of the shop.', parameters: { type: 'object' } },
  {
    name: 'Shop_find',
    description: 'Finds an item.',
    parameters: {
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      anyOf: [{ required: ['id'] }, { required: ['name'] }],
    },
  },
];
const RESULTS: Readonly<Record<string, string>> = {
  get_weather: 'Sunny, 21 degrees.',
  get_time: 'Half past nine.',
  Shop_list_items: 'A model ship.',
};

export interface TurnResult {
  readonly turn: string;
  /** What was wrong with the answer; null when nothing was. */
  readonly problem: string | null;
}

interface Asked {
  readonly said: string;
  readonly calls: readonly LlmToolCall[];
}

/** @param expects what the model must have read: the answers of these servers repeat it. */
type Turn = readonly [turn: string, before: (talk: Talk) => void, expects: readonly string[], instruction?: string];

const LONG = 'This is a long story of a ship. '.repeat(30);

const TURNS: readonly Turn[] = [
  ['greeting', () => {}, ['Greet the visitor'], '(Greet the visitor.)'],
  [
    'context before a question',
    (talk) => talk.context('The visitor has a red ticket.').user('Which ticket do I have?'),
    ['red ticket', 'Which ticket'],
  ],
  ['two tools at once', (talk) => talk.user('Weather and time in Rome?'), ['Sunny, 21 degrees', 'Half past nine']],
  ['a tool of an MCP server', (talk) => talk.user('What is in the shop?'), ['A model ship']],
  [
    'interrupted before the first word',
    (talk) => talk.user('Tell me of the ships.').user('No, of the tower.'),
    ['of the ships', 'of the tower'],
  ],
  [
    'two quick messages',
    (talk) => talk.user('And another thing.').user('When do you close?'),
    ['another thing', 'do you close'],
  ],
  ['silence prompt', () => {}, ['The user is silent'], '(The user is silent. Say something short.)'],
  [
    'context in mid-call',
    (talk) => talk.context('It has begun to rain.').user('Shall I go out?'),
    ['begun to rain', 'go out'],
  ],
  ...Array.from({ length: 12 }, (_, at): Turn => [
    `long talk ${at + 1}`,
    (talk) => talk.user(`${LONG}Question ${at}?`),
    [`Question ${at}?`],
  ]),
  [
    'tools again, after a long talk',
    (talk) => talk.user('Weather and time in Oslo?'),
    ['Sunny, 21 degrees', 'Half past nine'],
  ],
  ['goodbye', (talk) => talk.user('Thank you, goodbye.'), ['goodbye']],
];

class Talk {
  history: ConversationHistory = EMPTY_HISTORY;
  #ids = 0;

  user(text: string): this {
    this.history = addUser(this.history, { id: this.id('u'), text });
    return this;
  }

  context(text: string): this {
    this.history = addContext(this.history, text);
    return this;
  }

  persona(spoken: string): void {
    this.history = addPersona(this.history, { id: this.id('p'), spoken });
  }

  id(kind: string): string {
    this.#ids += 1;
    return `${kind}_${this.#ids}`;
  }
}

/** @param noticed what the endpoint refused, and what was done about it. */
export async function converse(model: LanguageModel, noticed: (notice: LlmNotice) => void): Promise<TurnResult[]> {
  const talk = new Talk();
  const results: TurnResult[] = [];
  for (const [turn, before, expects, instruction] of TURNS) {
    before(talk);
    try {
      const said = await answer(model, talk, instruction, noticed);
      const missing = expects.filter((text) => !said.includes(text));
      const isWhole = said.endsWith('That is all.');
      const problem = missing.length > 0 ? `did not read: ${missing.join(', ')}` : isWhole ? null : 'is not whole';
      results.push({ turn, problem });
      talk.persona(said.length > 200 ? 'I see. That is all.' : said);
    } catch (error) {
      results.push({ turn, problem: String(error) });
    }
  }
  return results;
}

/** An answer with its rounds of tools. */
async function answer(
  model: LanguageModel,
  talk: Talk,
  instruction: string | undefined,
  noticed: (notice: LlmNotice) => void,
): Promise<string> {
  for (let round = 0; round < 3; round += 1) {
    const { said, calls } = await askTwice(model, talk, instruction, noticed);
    if (calls.length === 0) return said;
    const made = calls.map((call) => ({ ...call, id: talk.id('fc'), providerId: call.id }));
    talk.history = addToolCalls(talk.history, made);
    for (const { id, name } of made) talk.history = setToolOutput(talk.history, id, RESULTS[name] ?? 'Nothing.');
  }
  throw new Error('calls without end');
}

/** As a session does: once more where that helps. */
async function askTwice(...asked: Parameters<typeof ask>): Promise<Asked> {
  try {
    return await ask(...asked);
  } catch (error) {
    if (retryKind(error, false) === null) throw error;
    return ask(...asked);
  }
}

async function ask(
  model: LanguageModel,
  talk: Talk,
  instruction: string | undefined,
  noticed: (notice: LlmNotice) => void,
): Promise<Asked> {
  const messages = llmMessages({
    systemPrompt: PROMPT,
    history: talk.history,
    mark: MARK,
    ...(instruction !== undefined && { instruction }),
  });
  const request = { messages, tools: TOOLS, sessionId: 's', correlationId: 'c', language: 'en', noticed };
  let said = '';
  const calls: LlmToolCall[] = [];
  for await (const event of model.stream(request, new AbortController().signal)) {
    if (event.type === 'text') said += event.text;
    if (event.type === 'tool-call') calls.push(event.call);
  }
  return { said, calls };
}
