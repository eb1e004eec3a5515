import type { LlmRequest } from '../../ports.ts';
import { addressOf, type WireEndpoint } from './ask-endpoint.ts';

/** Names and addresses of this machine and of networks of one's own. */
const OWN_HOST =
  /^(localhost|.*\.(localhost|local|internal|lan|home|corp|intranet)|[^.:]+|(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d+){2,3}|\[(::1|f[cd].*|fe80.*)\])$/i;

/**
 * Lets a server of one's own read the beginning of the next request. Such servers keep what they have read, and reading
 * a prompt takes them seconds.
 */
export async function warmEndpoint(endpoint: WireEndpoint, request: LlmRequest, signal: AbortSignal): Promise<void> {
  if (!OWN_HOST.test(new URL(endpoint.url).hostname)) return;
  try {
    const { body: whole, headers } = endpoint.prepare(request);
    const { stream_options: _, ...body } = whole;
    const response = await endpoint.fetch(addressOf(endpoint), {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json', ...endpoint.headers, ...headers },
      body: JSON.stringify({ ...body, stream: false, max_tokens: 1 }),
    });
    await response.body?.cancel();
  } catch {
    // The first request reports what is wrong.
  }
}
