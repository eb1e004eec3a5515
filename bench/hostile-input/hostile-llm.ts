import { setTimeout as pause } from 'node:timers/promises';
import { openBenchClient } from '../lib/bench-client.ts';
import { signallingUrl, startSession, typed, type ServiceAddress } from '../lib/conversation.ts';

/**
 * Has a session of its own think with an endpoint, and asks it something.
 * @param listenMs how long it stays. @returns how much the persona said by then.
 */
export async function askHostileLlm(service: ServiceAddress, baseUrl: string, listenMs: number): Promise<string> {
  const llmId = await addLlm(service, baseUrl);
  const sessionId = await startSession(service, { llmId });
  let characters = 0;
  let ended = false;
  const client = await openBenchClient(signallingUrl(service), sessionId, {
    onMessage(text) {
      const { messageType, data } = JSON.parse(text) as { messageType: string; data: { role?: string; content?: string; end_of_speech?: boolean } };
      if (messageType !== 'speechText' || data.role !== 'persona') return;
      characters += data.content?.length ?? 0;
      ended ||= data.end_of_speech === true;
    },
  });
  await client.ready;
  client.sendMessage(typed('Tell me a story.'));
  await pause(listenMs);
  client.close();
  await fetch(`${service.url}/v1/sessions/${sessionId}/stop`, { method: 'POST', headers: { authorization: `Bearer ${service.apiKey}` } });
  return `${characters} characters heard${ended ? ', to the end' : ''}`;
}

/** @throws Error with the service's answer. */
export async function addLlm({ url, apiKey }: ServiceAddress, baseUrl: string): Promise<string> {
  const answer = await fetch(`${url}/v1/llms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ displayName: 'Hostile', llmFormat: 'openai', urls: [{ url: baseUrl }], modelName: 'm', secret: 'none' }),
  });
  if (!answer.ok) throw new Error(`The LLM was not added: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
}
