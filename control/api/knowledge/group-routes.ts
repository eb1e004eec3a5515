import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type App, callerOf } from '../../http/app.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { HttpError } from '../../errors/http-error.ts';
import { deletionQuery, emptyAnswer, errorAnswers, idPath } from '../../http/schemas.ts';
import { refuseIfUsed, searchersOf } from '../../catalogue/uses.ts';
import type { Vault } from '../../access/vault.ts';
import type { KnowledgeGroupRow } from '../../store/tables.ts';
import { groupsOf } from './group-rows.ts';
import { createGroup, knowledgeGroupResponse, searchGroup, searchResult, updateGroup } from './knowledge-schema.ts';
import { removeDocuments, type RemoveDocumentsParts } from './remove-documents.ts';
import { searchPassages } from './search.ts';
import { knowledgeErrors } from './knowledge-errors.ts';
import type { ControlPorts } from '../../ports.ts';

/** What these routes take of the service. */
export type GroupRoutesParts = RemoveDocumentsParts & {
  readonly ports: Pick<ControlPorts, 'embedder'>;
  readonly vault: Vault;
};

const oneConfig = { pathId: { status: 404, missing: knowledgeErrors.groupNotFound } } as const;

/** How long a search may take: embeddings may have to be asked for. */
const SEARCH_TIMEOUT_MS = 10_000;

/** Groups of documents that personas can look things up in. */
export function groupRoutes(app: App, control: GroupRoutesParts): void {
  listGroupsRoute(app, control);
  createGroupRoute(app, control);
  readGroupRoute(app, control);
  changeGroupRoute(app, control);
  deleteGroupRoute(app, control);
  searchGroupRoute(app, control);
}

function listGroupsRoute(app: App, control: GroupRoutesParts): void {
  const { store } = control;
  app.get(
    '/v1/knowledge/groups',
    {
      schema: {
        summary: 'List knowledge groups',
        response: { 200: z.array(knowledgeGroupResponse), ...errorAnswers() },
      },
    },
    async (request) => groupsOf(store, callerOf(request).organizationId, null),
  );
}

function createGroupRoute(app: App, control: GroupRoutesParts): void {
  const { store } = control;
  app.post(
    '/v1/knowledge/groups',
    {
      schema: {
        summary: 'Create a knowledge group',
        body: createGroup,
        response: { 201: knowledgeGroupResponse, ...errorAnswers(400) },
      },
    },
    async (request, reply) => {
      const row: KnowledgeGroupRow = {
        id: randomUUID(),
        organization_id: callerOf(request).organizationId,
        name: request.body.name,
        description: request.body.description ?? null,
        created_at: isoTime(control.now()),
        updated_at: null,
      };
      await store.db.insertInto('knowledge_groups').values(row).execute();
      return reply.status(201).send({
        id: row.id,
        name: row.name,
        description: row.description,
        documentCount: 0,
        createdAt: row.created_at,
        updatedAt: null,
      });
    },
  );
}

function readGroupRoute(app: App, control: GroupRoutesParts): void {
  app.get(
    '/v1/knowledge/groups/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Read a knowledge group',
        params: idPath,
        response: { 200: knowledgeGroupResponse, ...errorAnswers(404) },
      },
    },
    async (request) => presentGroup(control, callerOf(request).organizationId, request.params.id),
  );
}

function changeGroupRoute(app: App, control: GroupRoutesParts): void {
  const { store } = control;
  app.put(
    '/v1/knowledge/groups/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Change a knowledge group',
        params: idPath,
        body: updateGroup,
        response: { 200: knowledgeGroupResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const { organizationId } = callerOf(request);
      const { id } = request.params;
      const { name, description } = request.body;
      // Fields that are undefined stay as they are. A group that is gone is not found afterwards.
      await store.db
        .updateTable('knowledge_groups')
        .set({ name, description, updated_at: isoTime(control.now()) })
        .where('id', '=', id)
        .where('organization_id', '=', organizationId)
        .execute();
      return presentGroup(control, organizationId, id);
    },
  );
}

function deleteGroupRoute(app: App, control: GroupRoutesParts): void {
  const { store } = control;
  app.delete(
    '/v1/knowledge/groups/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Delete a knowledge group and its documents',
        description: 'Tools that search it stay, and find nothing in it.',
        params: idPath,
        querystring: deletionQuery('delete'),
        response: { 204: emptyAnswer, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request, reply) => {
      const row = await findGroup(control, callerOf(request).organizationId, request.params.id);
      if (request.query.whenUsed === 'refuse')
        refuseIfUsed(await searchersOf(store, control.vault, row.organization_id, row.id));
      const documents = await store.db
        .selectFrom('knowledge_documents')
        .selectAll()
        .where('group_id', '=', row.id)
        .execute();
      await removeDocuments(control, documents);
      await store.db.deleteFrom('knowledge_groups').where('id', '=', row.id).execute();
      return reply.status(204).send(null);
    },
  );
}

function searchGroupRoute(app: App, control: GroupRoutesParts): void {
  const { store } = control;
  app.post(
    '/v1/knowledge/groups/:id/search',
    {
      config: { ...oneConfig, access: { scope: 'knowledge', onlyReads: true } },
      schema: {
        summary: 'Search a knowledge group',
        params: idPath,
        body: searchGroup,
        response: { 200: z.array(searchResult), ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const row = await findGroup(control, callerOf(request).organizationId, request.params.id);
      const hits = await searchPassages(store, control.ports.embedder, {
        ...request.body,
        groupIds: [row.id],
        signal: AbortSignal.timeout(SEARCH_TIMEOUT_MS),
      });
      return hits.map(({ documentId, filename, content, score, chunkIndex, metadata }) => ({
        documentId,
        filename,
        content,
        score,
        chunkIndex,
        metadata,
      }));
    },
  );
}

/** @throws HttpError 404. */
export async function findGroup(
  { store }: Pick<GroupRoutesParts, 'store'>,
  organizationId: string,
  id: string,
): Promise<KnowledgeGroupRow> {
  const row = await store.db
    .selectFrom('knowledge_groups')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined) throw new HttpError(knowledgeErrors.groupNotFound);
  return row;
}

async function presentGroup({ store }: Pick<GroupRoutesParts, 'store'>, organizationId: string, id: string) {
  const [group] = await groupsOf(store, organizationId, [id]);
  if (group === undefined) throw new HttpError(knowledgeErrors.groupNotFound);
  return group;
}
