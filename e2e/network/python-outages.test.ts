import { afterAll, beforeAll, describe, it, type ExpectStatic } from 'vitest';
import { python, PYTEST_OF_SERVICE } from '../support/python.ts';
import { startService, type RunningService } from '../support/service.ts';
import { networkObstacle, openTestNetwork, type TestNetwork } from '../support/test-network.ts';

const obstacle = networkObstacle();
if (obstacle !== null) console.warn(`Tests of the Python client's outages are skipped: ${obstacle}.`);

const FILE = 'tests/service/test_outages.py';
const goesOn = (what: string): string => `test_the_conversation_goes_on_after_an_outage[${what}]`;
/** Those of a group run side by side. A client that decodes pictures in Python takes half a core: more starve each other. */
const OUTAGES = {
  'when UDP is cut': {
    'goes on after 8 s': goesOn('UDP for 8 s'),
    'goes on after 20 s': goesOn('UDP for 20 s'),
  },
  'in other trouble': {
    'goes on when everything is cut for 20 s': goesOn('everything for 20 s'),
    'sends again what the outage took': 'test_a_message_that_the_outage_took_is_sent_again',
    'names a network without UDP': 'test_a_network_without_udp_is_named',
  },
};
const TESTS = Object.values(OUTAGES).flatMap((group) => Object.values(group).map((test) => `${FILE}::${test}`));

/**
 * The tests of `clients/python/tests/service/test_outages.py`, each in a network of its own that it cuts itself. In every
 * run, the clients in browsers have such outages (`outages.test.ts`), and the Python client loses its socket
 * (`clients/python/tests`).
 */
describe.skipIf(obstacle !== null)('the Python client', { tags: ['nightly'] }, () => {
  let network: TestNetwork;
  let service: RunningService;

  beforeAll(async () => {
    network = await openTestNetwork(TESTS.length);
    service = await startService({ host: network.serviceAddress });
  });
  afterAll(async () => {
    await service?.stop();
    await network?.close();
  });

  describe.for(Object.entries(OUTAGES))('%s', ([, group]) => {
    it.concurrent.for(Object.entries(group))('%s', ([, test], { expect }) => passes(test, expect));
  });

  async function passes(test: string, expect: ExpectStatic): Promise<void> {
    const named = `${FILE}::${test}`;
    const client = network.clients[TESTS.indexOf(named)]!;
    // An earlier attempt may have left it cut.
    await client.restore();
    const output = await python([...PYTEST_OF_SERVICE, named], {
      env: { PARLEY_TEST_URL: service.url, PARLEY_TEST_KEY: service.apiKey, PARLEY_TEST_NETWORK: 'cut it' },
      execute: client.exec,
    });
    expect(output).toMatch(/\b1 passed/);
  }

  /** A test that is added there is run here. */
  it('is tried in every outage that its tests know', async ({ expect }) => {
    const collected = await python([...PYTEST_OF_SERVICE, '--collect-only', FILE]);
    expect(collected.split('\n').filter((line) => line.startsWith(FILE))).toEqual(TESTS);
  });
});
