import { expect, it } from 'vitest';
import { pythonTool } from '../../runtime/testing/python-tools.ts';
import { firstAvatar } from '../support/ada.ts';
import { python } from '../support/python.ts';
import { startService } from '../support/service.ts';
import { networkObstacle, openTestNetwork } from '../support/test-network.ts';
import { openHotel } from '../support/tool-using-llm.ts';

const interpreter = pythonTool('python');
const obstacle = networkObstacle();
/** Well within the outage. */
const TOOL_MS = 5_000;

/**
 * The SDK never restarts ICE. When the service has given up its socket, it opens another one, with another peer
 * connection.
 */
(obstacle !== null || interpreter === null ? it.skip : it)(
  'a conversation of the public Python SDK goes on after an outage of 26 s with a tool call inside',
  { tags: ['nightly'] },
  async () => {
    const network = await openTestNetwork(1);
    const hotel = await openHotel('The Sea room and the Garden room are free.', TOOL_MS);
    const llm = { PARLEY_LLM_BASE_URL: `http://${hotel.address}/v1`, PARLEY_LLM_MODEL: 'house-8b' };
    const env = { ...llm, PARLEY_ALLOWED_PRIVATE_HOSTS: hotel.address };
    const service = await startService({ host: network.serviceAddress, env });
    try {
      const { id: toolId } = await service.api<{ id: string }>('POST', '/v1/tools', {
        type: 'SERVER_WEBHOOK',
        name: 'free_rooms',
        description: 'Tells which rooms are free.',
        config: { url: `http://${hotel.address}/rooms`, method: 'POST', awaitResponse: true },
      });
      const { id: personaId } = await service.api<{ id: string }>('POST', '/v1/personas', {
        name: 'Ada',
        avatarId: await firstAvatar(service),
        systemPrompt: 'You are at the desk of a hotel.',
        initialMessage: 'Hello there.',
        toolIds: [toolId],
        voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
      });
      const output = await python([new URL('../python/public_python_sdk_outage.py', import.meta.url).pathname], {
        interpreter: interpreter!,
        env: { PARLEY_TEST_URL: service.url, PARLEY_TEST_KEY: service.apiKey, PARLEY_TEST_PERSONA: personaId },
        execute: network.clients[0]!.exec,
      });
      expect(output).toBe('ok\n');
      expect(hotel.asked).toHaveLength(1);
    } finally {
      await service.stop();
      hotel.close();
      await network.close();
    }
  },
);
