import { createLanguageModel } from '../../models/llm/index.ts';
import { definitionOf } from '../../models/llm/registry.ts';
import { ProviderError, type LanguageModel, type ToolSpec } from '../../models/ports.ts';
import type { Try } from './command.ts';
import { median, time } from './times.ts';

const QUESTION = 'What is the capital of France?';
/** As a persona is told: it is spoken. */
const SYSTEM = 'You are a friendly person in a spoken conversation. Answer in one short sentence, in plain words.';
const TOOL: ToolSpec = {
  name: 'get_weather',
  description: 'Tells the weather in a city now.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const TOOL_QUESTION = 'What is the weather in Paris now?';
const LIMIT_MS = 60_000;

interface Answer {
  readonly text: string;
  /** To the first token of the answer, after any reasoning. */
  readonly firstMs: number;
  readonly wholeMs: number;
  readonly tools: readonly string[];
}

/** Asks an LLM a question a few times, and one that it can only answer with a tool. */
export const tryLlm: Try = async (command, print) => {
  const model = createLanguageModel(definitionOf(command.choice));
  const question = command.text ?? QUESTION;
  print(`It is asked: "${question}"`);
  const answers: Answer[] = [];
  for (let each = 1; each <= command.tries; each += 1) {
    const answer = await ask(model, question, []);
    if (answer.text === '') throw new ProviderError(model.name, 'bad-response', 'The model answered with nothing.');
    print(`  ${each}: first token after ${time(answer.firstMs)}, all after ${time(answer.wholeMs)}: "${answer.text}"`);
    answers.push(answer);
  }
  print(`Median: first token after ${time(median(answers.map(({ firstMs }) => firstMs)))}.`);
  print(await toolLine(model));
};

/** A model that does not know tools may refuse them: it still works for personas without tools. */
async function toolLine(model: LanguageModel): Promise<string> {
  try {
    const { tools } = await ask(model, TOOL_QUESTION, [TOOL]);
    return tools.includes(TOOL.name)
      ? 'Tools: it called one when it was asked for the weather.'
      : 'Tools: it did not call one when it was asked for the weather. Personas with tools need another model.';
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return `Tools: it refused a request with tools. ${error.message}`;
  }
}

async function ask(model: LanguageModel, question: string, tools: readonly ToolSpec[]): Promise<Answer> {
  const askedAt = performance.now();
  let text = '';
  let firstMs: number | null = null;
  const called: string[] = [];
  const request = {
    messages: [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: question },
    ] as const,
    tools,
    sessionId: 'try-provider',
    correlationId: 'try-provider',
    language: 'en',
  };
  for await (const event of model.stream(request, AbortSignal.timeout(LIMIT_MS))) {
    if (event.type === 'text') text += event.text;
    if (event.type === 'tool-call') called.push(event.call.name);
    if (event.type === 'text' || event.type === 'tool-call') firstMs ??= performance.now() - askedAt;
  }
  const wholeMs = performance.now() - askedAt;
  return { text: text.trim().replaceAll(/\s+/gu, ' '), firstMs: firstMs ?? wholeMs, wholeMs, tools: called };
}
