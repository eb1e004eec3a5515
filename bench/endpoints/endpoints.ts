import { createLanguageModel, EndpointMemories, EndpointLatencies } from '../../models/llm/index.ts';
import { CircuitBreaker } from '../../models/circuit-breaker.ts';
import { converse, type TurnResult } from './conversation.ts';
import { OPENAI_SERVERS } from './openai-servers.ts';
import { CLAUDE, GEMINI } from './other-servers.ts';
import { serve } from './serve.ts';
import type { Habits } from './served.ts';

export const SERVERS: readonly Habits[] = [...OPENAI_SERVERS, CLAUDE, GEMINI];

export interface EndpointResult {
  readonly name: string;
  readonly about: string;
  readonly turns: readonly TurnResult[];
  readonly asked: number;
  readonly refused: number;
  readonly notices: readonly string[];
}

/** The same conversation through one server. */
export async function talkThrough(habits: Habits): Promise<EndpointResult> {
  const server = await serve(habits);
  const notices: string[] = [];
  const definition = {
    name: habits.name,
    urls: [{ url: server.url }],
    modelName: 'm',
    secret: 'key',
    ...habits.definition,
  };
  const model = createLanguageModel(definition, {
    latencies: new EndpointLatencies(),
    circuits: new CircuitBreaker(() => 0),
    memories: new EndpointMemories(),
  });
  try {
    const turns = await converse(model, ({ sentence }) => notices.push(sentence));
    const { name, about } = habits;
    return { name, about, turns, ...server.counts, notices };
  } finally {
    server.close();
  }
}

if (import.meta.main) {
  console.log(
    '| Server | Known for | Turns answered whole | Requests | Refused and repaired | What was found out |\n|---|---|---|---|---|---|',
  );
  for (const habits of SERVERS) {
    const { name, about, turns, asked, refused, notices } = await talkThrough(habits);
    const whole = turns.filter(({ problem }) => problem === null).length;
    console.log(
      `| ${name} | ${about} | ${whole} of ${turns.length} | ${asked} | ${refused} | ${notices.join(' ') || '–'} |`,
    );
  }
}
