import type { ControlPorts } from '../../ports.ts';

/**
 * @param text the address of a WebSocket, which holds or gets a secret. @returns why no session may connect to it; null: one
 * may.
 */
export async function socketProblem(publicUrls: ControlPorts['publicUrls'], text: string): Promise<string | null> {
  const url = URL.parse(text);
  if (url === null || !/^(?:ws|http)s?:$/.test(url.protocol)) return 'must begin with wss://';
  // The guard knows web addresses; a socket begins as one.
  const problem = await publicUrls.problemWith(text.replace(/^ws/i, 'http'));
  if (problem !== null) return problem;
  const isSecure = url.protocol === 'wss:' || url.protocol === 'https:';
  return isSecure || publicUrls.isException(url) ? null : 'must begin with wss://: the token is a secret';
}
