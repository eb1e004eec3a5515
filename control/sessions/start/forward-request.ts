import type { FastifyRequest } from 'fastify';
import type { ForwardedClient, Cluster } from '../../cluster/cluster.ts';
import { type NodeAnswer, NodeUnreachable } from '../../cluster/node-client.ts';
import type { EngineNode } from '../../placement/engine-registry.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import { HttpError } from '../../errors/http-error.ts';
import { clientAddress } from '../../http/client-address.ts';
import { sessionErrors } from '../../errors/session-errors.ts';

/** What is taken of the service here. */
type ForwardParts = PublicUrlParts & {
  readonly cluster: Cluster | null;
};

/** What another node has to be told of the client. */
export function forwardedClient(control: Pick<ForwardParts, 'settings'>, request: FastifyRequest): ForwardedClient {
  return { address: clientAddress(request), baseUrl: publicUrl(control, request) };
}

/** The node that has what a request is about answers it. @throws HttpError 503 when that node does not answer. */
export async function forwardRequest(
  control: ForwardParts,
  request: FastifyRequest,
  node: EngineNode,
): Promise<NodeAnswer> {
  if (control.cluster === null) throw new Error('There are no other nodes');
  return control.cluster.forward(request, forwardedClient(control, request), node).catch(throwEngineUnreachable);
}

/** For what is asked of the node that has a session. @throws HttpError 503 when it could not be reached, or the error. */
export function throwEngineUnreachable(error: unknown): never {
  throw error instanceof NodeUnreachable
    ? new HttpError(sessionErrors.noEngines, { message: 'The engine of this session does not answer.' })
    : error;
}
