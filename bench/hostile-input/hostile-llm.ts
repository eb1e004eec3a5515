import { setTimeout as pause } from 'node:timers/promises';
import { openBenchClient } from '../lib/bench-client.ts';
import { signalingUrl, startSession, typed } from '../lib/conversation.ts';
import { callApi, type ServiceAddress } from '../lib/call-api.ts';

/**
 * Starts a session whose LLM is the attacker's endpoint, and asks it something. @param listenMs how long it stays.
 * @returns how much the persona said by then.
 */
export async function askHostileLlm(service: ServiceAddress, baseUrl: string, listenMs: number): Promise<string> {
  const llm = { displayName: 'Hostile', llmFormat: 'openai', urls: [{ url: baseUrl }], modelName: 'm', secret: 'none' };
  const { id: llmId } = await callApi<{ id: string }>(service, 'POST', '/v1/llms', llm);
  const sessionId = await startSession(service, { llmId });
  let characters = 0;
  const client = await openBenchClient(signalingUrl(service), sessionId, {
    onMessage(text) {
      const { messageType, data } = JSON.parse(text) as {
        messageType: string;
        data: { role?: string; content?: string };
      };
      if (messageType === 'speechText' && data.role === 'persona') characters += data.content?.length ?? 0;
    },
  });
  await client.ready;
  client.sendMessage(typed('Tell me a story.'));
  await pause(listenMs);
  // Read before the client leaves, because the session may end then.
  await callApi(service, 'POST', `/v1/sessions/${sessionId}/stop`);
  client.close();
  return `${characters} characters heard`;
}
