import { callApi, type ServiceAddress } from '../../bench/lib/call-api.ts';

/** All that the persona has said in a session, as its transcript has it: to the word what was heard. */
export async function personaTranscript(service: ServiceAddress, sessionId: string): Promise<string> {
  const path = `/v1/sessions/${sessionId}/transcript`;
  const { messages } = await callApi<{ messages: { role: string; message: string }[] }>(service, 'GET', path);
  const ofPersona = messages.filter(({ role }) => role === 'persona');
  return ofPersona.map(({ message }) => message.trim()).join(' ');
}

/** How often each of these sentences is in a text. */
export const timesSaid = (text: string, sentences: readonly string[]): readonly number[] =>
  sentences.map((sentence) => text.split(sentence).length - 1);
