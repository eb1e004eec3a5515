/**
 * A conversation of six turns with a tool, through the running service and a real llama-server: how many tokens of its
 * prompt the server had read before each answer, by its own count, and how long the answer took to begin.
 *
 *   node bench/llama-server/index.ts [--server FILE --model FILE]
 *
 * Without these files it builds them (`build.ts`). Exits with 1 if a turn is not answered, if the tool is not called for
 * both cities, or if a prompt is read again.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { printTable } from '../lib/table.ts';
import { buildLlamaServer } from './build.ts';
import { converseWithLlama } from './conversation.ts';
import type { Counted } from './counting-proxy.ts';
import { startLlamaServer } from './start.ts';

const { values: args } = parseArgs({ options: { server: { type: 'string' }, model: { type: 'string' } } });
const files =
  args.server !== undefined && args.model !== undefined
    ? { server: args.server, model: args.model }
    : await buildLlamaServer();

const llama = await startLlamaServer(files);
try {
  const { warmed, turns, cities } = await converseWithLlama(llama.url);
  const row = (name: string, { kept, read, written, firstMs, wholeMs }: Counted) => [
    name,
    kept,
    read,
    written,
    firstMs,
    wholeMs,
  ];
  console.log(`\nLoad average ${loadavg()[0]?.toFixed(1)}.`);
  printTable(
    ['request', 'read before', 'read now', 'written', 'begins after, ms', 'ends after, ms'],
    [
      ...warmed.map((one) => row('during the greeting', one)),
      ...turns.flatMap(({ question, requests }) => requests.map((one) => row(question, one))),
    ],
  );
  for (const { question, said } of turns) console.log(`${question} → ${said}`);
  const problems = [
    ...(warmed.length === 1 ? [] : ['The prompt was not read during the greeting.']),
    ...turns.filter(({ said }) => said === '').map(({ question }) => `"${question}" was not answered.`),
    ...(cities.join() === 'Rome,Oslo' ? [] : [`The tool was asked for: ${cities.join(', ') || 'nothing'}.`]),
    ...turns.flatMap(({ question, requests }) =>
      requests.filter(({ kept, read }) => read > kept).map(() => `"${question}": the prompt was read again.`),
    ),
  ];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  await llama.stop();
}
