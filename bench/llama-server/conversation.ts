import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openHeadlessConversation } from '../lib/headless-conversation.ts';
import { startServiceProcess } from '../lib/service-process.ts';
import { countingProxy, type Counted } from './counting-proxy.ts';

/** A prompt of the usual length, which a small machine reads for seconds. */
const SYSTEM_PROMPT = `You are Ada, a guide of the harbor museum in the old town. You speak with visitors who stand in front of a
screen in the entrance hall. Be friendly and answer in one or two short sentences. The museum is open from nine to five,
and on Thursdays until eight. It is closed on Mondays. A ticket costs twelve euros, for students six, and children are
free. The tower can be climbed in groups of ten people, every half hour, and it is closed when it storms. On the first
floor are models of ships from the seventeenth century, on the second floor maps and instruments, and in the cellar the
wreck of a fishing boat that was found in the harbor in 1987. Dogs must stay outside. There is a cafe beside the exit. You do
not know the weather: for it, call the function get_weather and answer with nothing else than the call.`;
const GREETING =
  'Welcome to the harbor museum! I am Ada. I can tell you about our ships, our maps and our tower. What would you like to know?';

/** This small model uses a tool only when it is told to. */
export const QUESTIONS = [
  'Hello Ada. What does a ticket cost?',
  'Use your tool get_weather for Rome, please.',
  'When are you open on Thursdays?',
  'What is in the cellar?',
  'Now use your tool get_weather for Oslo, please.',
  'Thank you. Goodbye!',
] as const;
const WEATHER: Readonly<Record<string, string>> = { Rome: 'Sunny, 21 degrees.', Oslo: 'Snow, minus 4 degrees.' };
/** The last request ends a moment after the last word. */
const REST_MS = 2_000;

export interface LlamaTurn {
  readonly question: string;
  readonly said: string;
  readonly requests: readonly Counted[];
}

export interface LlamaConversation {
  readonly warmed: readonly Counted[];
  readonly turns: readonly LlamaTurn[];
  /** Cities that the tool was asked for. */
  readonly cities: readonly string[];
}

/** Six turns with a tool, through the running service. @param llama URL of a llama-server. */
export async function converseWithLlama(llama: string): Promise<LlamaConversation> {
  const proxy = await countingProxy(llama);
  const weather = await weatherService();
  const service = await startServiceProcess({
    PARLEY_LLM_BASE_URL: `${proxy.url}/v1`,
    PARLEY_LLM_MODEL: 'local',
    PARLEY_ALLOWED_PRIVATE_HOSTS: new URL(weather.url).host,
  });
  try {
    const { id } = await service.api<{ id: string }>('POST', '/v1/tools', weatherTool(weather.url));
    const talk = await openHeadlessConversation(service, {
      name: 'Ada',
      systemPrompt: SYSTEM_PROMPT,
      toolIds: [id],
      skipGreeting: false,
      initialMessage: GREETING,
    });
    while (talk.replies() === 0) await pause(50);
    const warmed = proxy.counted.slice();
    const turns: LlamaTurn[] = [];
    for (const question of QUESTIONS) {
      const [heard, counted] = [talk.heard().length, proxy.counted.length];
      await talk.ask(question);
      await pause(REST_MS);
      turns.push({ question, said: talk.heard().slice(heard).trim(), requests: proxy.counted.slice(counted) });
    }
    talk.close();
    return { warmed, turns, cities: weather.cities };
  } finally {
    await service.stop();
    weather.close();
    proxy.close();
  }
}

const weatherTool = (url: string) => ({
  name: 'get_weather',
  description: 'Says what the weather of a city is now.',
  type: 'SERVER_WEBHOOK',
  config: {
    url,
    method: 'POST',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    awaitResponse: true,
  },
});

async function weatherService() {
  const cities: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += String(piece);
    const city = /Rome|Oslo/u.exec(body)?.[0] ?? '';
    cities.push(city);
    response.setHeader('content-type', 'text/plain');
    response.end(WEATHER[city] ?? 'There is no such city.');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/weather`,
    cities,
    close: () => void server.close(),
  };
}
