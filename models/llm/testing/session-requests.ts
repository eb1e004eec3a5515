import type { LlmMessage, ToolSpec } from '../../ports.ts';

/** The shapes of requests that sessions make. */

export const PROMPT = 'You are Ada, a guide of the harbor museum.';
const CONTEXT = 'Information from the application: The visitor has a red ticket.';
const GREETING = 'Welcome to the museum!';
const QUESTION = 'When does the tower open?';

export const TOOLS: readonly ToolSpec[] = [
  tool('get_weather', 'The weather of a city.'),
  tool('get_time', 'The time in a city.'),
];

function tool(name: string, description: string): ToolSpec {
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  return { name, description, parameters };
}

const system: LlmMessage = { role: 'system', content: PROMPT };
const context: LlmMessage = { role: 'system', content: CONTEXT };
const user = (content: string): LlmMessage => ({ role: 'user', content });
const persona = (content: string): LlmMessage => ({ role: 'assistant', content });
const calls = (...names: string[]): LlmMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: names.map((name) => ({ id: `fc_${name}`, name, arguments: '{"city":"Rome"}' })),
});
const result = (name: string, content: string): LlmMessage => ({ role: 'tool', toolCallId: `fc_${name}`, content });

export interface SessionRequest {
  readonly name: string;
  readonly messages: readonly LlmMessage[];
  readonly tools: readonly ToolSpec[];
  /** What the model must read, in this order. */
  readonly read: readonly string[];
}

const shape = (
  name: string,
  messages: readonly LlmMessage[],
  read: readonly string[],
  tools: readonly ToolSpec[] = [],
): SessionRequest => ({ name, messages: [system, ...messages], tools, read: [PROMPT, ...read] });

const ASKED = [user('What is the weather in Rome?'), calls('get_weather'), result('get_weather', 'Sunny, 21 degrees')];
const ASKED_TWO = [
  user('Weather and time in Rome?'),
  calls('get_weather', 'get_time'),
  result('get_weather', 'Sunny, 21 degrees'),
  result('get_time', 'Half past nine'),
];

export const SESSION_REQUESTS: readonly SessionRequest[] = [
  shape('a question', [user(QUESTION)], [QUESTION]),
  shape('greeting first', [persona(GREETING), user(QUESTION)], [GREETING, QUESTION]),
  shape('a greeting to be made', [user('(Greet the visitor.)')], ['(Greet the visitor.)']),
  shape('context before the call', [context, persona(GREETING), user(QUESTION)], ['red ticket', GREETING, QUESTION]),
  shape(
    'context in mid-call',
    [persona(GREETING), user('Hello.'), persona('Hello to you.'), context, user(QUESTION)],
    [GREETING, 'Hello.', 'Hello to you.', 'red ticket', QUESTION],
  ),
  shape('two quick messages', [persona(GREETING), user('Hello.'), user(QUESTION)], [GREETING, 'Hello.', QUESTION]),
  shape(
    'an interruption before the first word',
    [user('Tell me of the ships.'), user(QUESTION), persona('At nine.'), user('Thank you.')],
    ['Tell me of the ships.', QUESTION, 'At nine.', 'Thank you.'],
  ),
  shape(
    'a silence prompt',
    [persona(GREETING), user(QUESTION), persona('At nine.'), user('(The user is silent.)')],
    [GREETING, QUESTION, 'At nine.', '(The user is silent.)'],
  ),
  shape(
    'two silence prompts, answered',
    [persona(GREETING), persona('Are you there?'), persona('Hello?'), user(QUESTION)],
    [GREETING, 'Are you there?', 'Hello?', QUESTION],
  ),
  shape('one tool', ASKED, ['weather in Rome?', 'Sunny, 21 degrees'], TOOLS),
  shape('two tools at once', ASKED_TWO, ['Weather and time', 'Sunny, 21', 'Half past nine'], TOOLS),
  shape('a tool after the greeting', [persona(GREETING), ...ASKED], [GREETING, 'in Rome?', 'Sunny, 21 degrees'], TOOLS),
  shape(
    'a question after a tool',
    [persona(GREETING), ...ASKED_TWO, persona('It is sunny.'), user(QUESTION)],
    [GREETING, 'Sunny, 21', 'Half past nine', 'It is sunny.', QUESTION],
    TOOLS,
  ),
  shape('an interruption after a tool', [...ASKED, user(QUESTION)], ['in Rome?', 'Sunny, 21', QUESTION], TOOLS),
];

/** @returns the texts that are not in the prompt, or not in this order. */
export function missingFrom(prompt: string, texts: readonly string[]): string[] {
  let from = 0;
  return texts.filter((text) => {
    const at = prompt.indexOf(text, from);
    if (at !== -1) from = at;
    return at === -1;
  });
}
