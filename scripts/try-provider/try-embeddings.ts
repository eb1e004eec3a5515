import { LatencyTable } from '../../models/latency-table.ts';
import { openEmbedder } from '../../models/embeddings/registry.ts';
import { ProviderError } from '../../models/ports.ts';
import type { Try } from './command.ts';
import { median, time } from './times.ts';

const QUESTION = 'When do you open?';
const ANSWER = 'Our hours are nine to five.';
const OTHER = 'The cat sleeps on the sofa.';
const LIMIT_MS = 60_000;

/** Asks for the vectors of three texts, of which two belong together. */
export const tryEmbeddings: Try = async (command, print) => {
  const embedder = await openEmbedder(command.choice, AbortSignal.timeout(LIMIT_MS), new LatencyTable());
  print(`It is asked for the vectors of "${QUESTION}", "${ANSWER}" and "${OTHER}".`);
  const times: number[] = [];
  let vectors: Float32Array[] = [];
  for (let each = 1; each <= command.tries; each += 1) {
    const askedAt = performance.now();
    vectors = await embedder.embed([QUESTION, ANSWER, OTHER], AbortSignal.timeout(LIMIT_MS));
    times.push(performance.now() - askedAt);
    print(`  ${each}: after ${time(times.at(-1)!)}`);
  }
  const [question, answer, other] = vectors as [Float32Array, Float32Array, Float32Array];
  const right = cosine(question, answer);
  const wrong = cosine(question, other);
  print(`Median: ${time(median(times))}; ${embedder.dimensions} dimensions.`);
  print(`Likeness: question and answer ${right.toFixed(2)}, question and something else ${wrong.toFixed(2)}.`);
  if (!(right > wrong))
    throw new ProviderError(
      'embeddings',
      'bad-response',
      'The answer is not more like the question than something else.',
    );
};

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array): number => x.reduce((sum, value, index) => sum + value * y[index]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
