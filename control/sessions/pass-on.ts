import type { FastifyRequest } from 'fastify';
import { type NodeAnswer, NodeUnreachable } from '../cluster/node-client.ts';
import type { EngineNode } from '../cluster/placement.ts';
import { type Control, publicUrl } from '../context.ts';
import { HttpError } from '../errors.ts';
import { clientAddress } from '../http/client-address.ts';
import { sessionErrors } from './session-errors.ts';

/** The node that has what a request is about answers it. @throws HttpError 503 when that node does not answer. */
export async function passOn(control: Control, request: FastifyRequest, node: EngineNode): Promise<NodeAnswer> {
  if (control.cluster === null) throw new Error('There are no other nodes');
  const client = { address: clientAddress(request), baseUrl: publicUrl(control, request) };
  return control.cluster.pass(request, client, node).catch((error: unknown) => {
    throw error instanceof NodeUnreachable
      ? new HttpError(sessionErrors.noEngines, { message: 'The engine of this session does not answer.' })
      : error;
  });
}
