import { BEHAVIORS, hostileEndpoint, type BehaviorName } from '../../../models/testing/hostile-endpoint.ts';
import type { Attack } from '../attack.ts';
import { askHostileLlm } from '../hostile-llm.ts';

/** How long a session waits for the endpoint's answer, at most. */
const LISTEN_MS = 20_000;
/** After which an endpoint stops: by then an unprotected reader has shown what it is. */
const MOST_BYTES = 2 * 1024 * 1024 * 1024;

const MB = 1024 * 1024;

/** A model endpoint of the attacker's own: anybody with a key may name one. */
function endpoint(name: string, behavior: BehaviorName): Attack {
  return {
    name,
    what: `a model endpoint that answers with ${behavior}`,
    prepare: async () => async (service) => {
      const llm = await hostileEndpoint(BEHAVIORS[behavior], MOST_BYTES);
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
