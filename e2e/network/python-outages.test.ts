import { afterAll, beforeAll, describe, it } from 'vitest';
import { python, PYTEST_OF_SERVICE } from '../support/python.ts';
import { startService, type RunningService } from '../support/service.ts';
import { networkObstacle, openTestNetwork, type TestNetwork } from '../support/test-network.ts';

const obstacle = networkObstacle();
if (obstacle !== null) console.warn(`Tests of the Python client's outages are skipped: ${obstacle}.`);

const FILE = 'tests/service/test_outages.py';
const outages = [
  ['goes on when UDP is cut for 8 s', `${FILE}::test_the_conversation_goes_on_after_an_outage[UDP for 8 s]`],
  ['goes on when UDP is cut for 20 s', `${FILE}::test_the_conversation_goes_on_after_an_outage[UDP for 20 s]`],
  [
    'goes on when everything is cut for 20 s',
    `${FILE}::test_the_conversation_goes_on_after_an_outage[everything for 20 s]`,
  ],
  ['sends again what the outage took', `${FILE}::test_a_message_that_the_outage_took_is_sent_again`],
  ['names a network without UDP', `${FILE}::test_a_network_without_udp_is_named`],
] as const;

/** The tests of `clients/python/tests/service/test_outages.py`, each in a network of its own that it cuts itself. */
describe.skipIf(obstacle !== null)('the Python client', () => {
  let network: TestNetwork;
  let service: RunningService;

  beforeAll(async () => {
    network = await openTestNetwork(outages.length);
    service = await startService({ host: network.serviceAddress });
  });
  afterAll(async () => {
    await service?.stop();
    await network?.close();
  });

  it.concurrent.for(outages.map(([name, test], index) => ({ name, test, index })))(
    '$name',
    async ({ test, index }, { expect }) => {
      const client = network.clients[index]!;
      // An earlier attempt may have left it cut.
      await client.restore();
      const output = await python([...PYTEST_OF_SERVICE, test], {
        env: { PARLEY_TEST_URL: service.url, PARLEY_TEST_KEY: service.apiKey, PARLEY_TEST_NETWORK: 'cut it' },
        execute: client.exec,
      });
      expect(output).toMatch(/\b1 passed/);
    },
  );

  /** A test that is added there is run here. */
  it('is tried in every outage that its tests know', async ({ expect }) => {
    const collected = await python([...PYTEST_OF_SERVICE, '--collect-only', FILE]);
    expect(collected.split('\n').filter((line) => line.startsWith(FILE))).toEqual(outages.map(([, test]) => test));
  });
});
