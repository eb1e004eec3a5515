import { createHash } from 'node:crypto';
import type { SessionRequest } from './persona-config.ts';

/**
 * The request of one session: of two versions that share the traffic, the one that its id falls to. The same id always
 * falls to the same version, on every node.
 */
export function requestOfSession(request: SessionRequest, sessionId: string): SessionRequest {
  const requests = requestsOf(request);
  const shares = sharesOf(request);
  // 0…99, each as likely as another.
  const place = Number(BigInt(`0x${createHash('sha256').update(sessionId).digest('hex')}`) % 100n);
  let end = 0;
  const chosen = shares.findIndex((share) => place < (end += share));
  return requests[Math.max(0, chosen)]!;
}

/** The request as it is for each version that it may become. */
export function requestsOf(request: SessionRequest): readonly SessionRequest[] {
  const { personaConfig } = request;
  if (personaConfig.type === 'ephemeral') return [request];
  const { versions, ...persona } = personaConfig.persona;
  if (versions === undefined) return [request];
  return versions.map(({ version }) => ({
    ...request,
    personaConfig: { type: 'stateful', persona: { ...persona, version } },
  }));
}

function sharesOf({ personaConfig }: SessionRequest): readonly number[] {
  const versions = personaConfig.type === 'stateful' ? personaConfig.persona.versions : undefined;
  return versions?.map(({ share }) => share) ?? [100];
}
