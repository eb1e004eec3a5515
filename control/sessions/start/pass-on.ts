import type { FastifyRequest } from 'fastify';
import type { PassedOnClient, Cluster } from '../../cluster/cluster.ts';
import { type NodeAnswer, NodeUnreachable } from '../../cluster/node-client.ts';
import type { EngineNode } from '../../placement/engine-registry.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import { HttpError } from '../../errors/http-error.ts';
import { clientAddress } from '../../http/client-address.ts';
import { sessionErrors } from '../../errors/session-errors.ts';

/** What is taken of the service here. */
type PassOnParts = PublicUrlParts & {
  readonly cluster: Cluster | null;
};

/** What another node has to be told of the client. */
export function clientOf(control: Pick<PassOnParts, 'settings'>, request: FastifyRequest): PassedOnClient {
  return { address: clientAddress(request), baseUrl: publicUrl(control, request) };
}

/** The node that has what a request is about answers it. @throws HttpError 503 when that node does not answer. */
export async function passOn(control: PassOnParts, request: FastifyRequest, node: EngineNode): Promise<NodeAnswer> {
  if (control.cluster === null) throw new Error('There are no other nodes');
  return control.cluster.pass(request, clientOf(control, request), node).catch(sayEngineIsSilent);
}

/** For what is asked of the node that has a session. @throws HttpError 503 when it could not be reached, or the error. */
export function sayEngineIsSilent(error: unknown): never {
  throw error instanceof NodeUnreachable
    ? new HttpError(sessionErrors.noEngines, { message: 'The engine of this session does not answer.' })
    : error;
}
