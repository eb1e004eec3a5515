import { BEHAVIORS, hostileEndpoint, type BehaviorName } from '../../../models/testing/hostile-endpoint.ts';
import type { Attack } from '../attack.ts';
import { askHostileLlm } from '../hostile-llm.ts';

/** Longest time that a session waits for the endpoint's answer. */
const LISTEN_MS = 20_000;
/** How much an endpoint sends. A reader without limits has failed by then. */
const MAX_BYTES = 2 * 1024 * 1024 * 1024;

const MB = 1024 * 1024;

/** An LLM endpoint of the attacker. Everybody with a key may configure one. */
function endpoint(name: string, behavior: BehaviorName): Attack {
  return {
    name,
    what: `a model endpoint that answers with ${behavior}`,
    prepare: async () => async (service) => {
      const llm = await hostileEndpoint(BEHAVIORS[behavior], MAX_BYTES);
      const heard = await askHostileLlm(service, llm.url, LISTEN_MS);
      const { sentBytes, requests, abandoned } = llm;
      await llm.close();
      return `${(sentBytes / MB).toFixed(1)} MB taken in ${requests} requests, ${abandoned} of them left early; ${heard}`;
    },
  };
}

export const hostileEndpoints: readonly Attack[] = [
  endpoint('endpoint-line', 'a line without end'),
  endpoint('endpoint-error', 'an error without end'),
  endpoint('endpoint-gzip', 'a gzip bomb'),
  endpoint('endpoint-words', 'chat words without end'),
];
