import { setTimeout as pause } from 'node:timers/promises';
import { callApi, type ServiceAddress } from '../lib/call-api.ts';
import { openHeadlessConversation } from '../lib/headless-conversation.ts';

/**
 * Starts a session whose LLM is the attacker's endpoint, and asks it something. @param listenMs how long it stays.
 * @returns how much the persona said by then.
 */
export async function askHostileLlm(service: ServiceAddress, baseUrl: string, listenMs: number): Promise<string> {
  const llm = { displayName: 'Hostile', llmFormat: 'openai', urls: [{ url: baseUrl }], modelName: 'm', secret: 'none' };
  const { id: llmId } = await callApi<{ id: string }>(service, 'POST', '/v1/llms', llm);
  const conversation = await openHeadlessConversation(service, { llmId });
  conversation.say('Tell me a story.');
  await pause(listenMs);
  // Read before the client leaves, because the session may end then.
  await callApi(service, 'POST', `/v1/sessions/${conversation.sessionId}/stop`);
  conversation.close();
  return `${conversation.heard().length} characters heard`;
}
