import { randomUUID } from 'node:crypto';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { type App, callerOf } from '../../http/app.ts';
import { detail, HttpError, invalid } from '../../errors/http-error.ts';
import { contains, pageOf, readPage } from '../../http/paging.ts';
import { deletionQuery, emptyAnswer, errorAnswers, idPath } from '../../http/schemas.ts';
import { personasWithMcpServer, refuseIfUsed } from '../../catalogue/uses.ts';
import type { McpServerRow } from '../../store/tables.ts';
import { mcpServerErrors } from './mcp-server-errors.ts';
import {
  allowedToolsJson,
  allowedToolsOf,
  closedAuth,
  findMcpServer,
  mcpServerOf,
  usableMcpServer,
} from './mcp-server-rows.ts';
import {
  createMcpServer,
  listMcpServers,
  type McpServerInput,
  mcpServerResponse,
  mcpServerTest,
  updateMcpServer,
} from './mcp-server-schema.ts';
import type { Store } from '../../store/open.ts';
import type { ControlPorts } from '../../ports.ts';
import type { Vault } from '../../access/vault.ts';
import type { McpToolLists } from './mcp-tool-lists.ts';

/** What these routes take of the service. */
export interface McpServerRoutesParts {
  readonly store: Store;
  readonly ports: Pick<ControlPorts, 'mcp' | 'publicUrls'>;
  readonly vault: Vault;
  readonly mcpTools: McpToolLists;
  readonly now: () => number;
}

const oneConfig = { pathId: { status: 404, missing: mcpServerErrors.mcpServerNotFound } } as const;

const DEFAULT_TIMEOUT_SECONDS = 30;
/** How long a test waits: nobody waits in a conversation. */
const TEST_TIMEOUT_MS = 15_000;

/** MCP servers: where personas get tools from. */
export function mcpServerRoutes(app: App, control: McpServerRoutesParts): void {
  listMcpServersRoute(app, control);
  addMcpServerRoute(app, control);
  readMcpServerRoute(app, control);
  changeMcpServerRoute(app, control);
  deleteMcpServerRoute(app, control);
  tryMcpServerRoute(app, control);
}

function listMcpServersRoute(app: App, control: McpServerRoutesParts): void {
  const { store, vault } = control;
  app.get(
    '/v1/mcp-servers',
    {
      schema: {
        summary: 'List MCP servers',
        querystring: listMcpServers,
        response: { 200: pageOf(mcpServerResponse), ...errorAnswers(400) },
      },
    },
    async (request) => {
      const { page, perPage, search } = request.query;
      let rows = store.db.selectFrom('mcp_servers').where('organization_id', '=', callerOf(request).organizationId);
      if (search !== undefined) rows = rows.where(contains('name', search));
      const { rows: found, meta } = await readPage(rows, { page, perPage });
      return { data: found.map((row) => mcpServerOf(vault, row)), meta };
    },
  );
}

function addMcpServerRoute(app: App, control: McpServerRoutesParts): void {
  const { store, vault } = control;
  app.post(
    '/v1/mcp-servers',
    {
      schema: {
        summary: 'Add an MCP server',
        body: createMcpServer,
        response: { 201: mcpServerResponse, ...errorAnswers(400) },
      },
    },
    async (request, reply) => {
      await checkUrls(control, request.body);
      const id = randomUUID();
      const { name, url, auth = { type: 'none' }, allowedTools = null, timeoutSeconds } = request.body;
      const row: McpServerRow = {
        id,
        organization_id: callerOf(request).organizationId,
        name,
        url,
        auth_cipher: closedAuth(vault, id, auth),
        allowed_tools_json: allowedToolsJson(allowedTools),
        timeout_seconds: timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
        created_at: isoTime(control.now()),
        updated_at: null,
      };
      await store.db.insertInto('mcp_servers').values(row).execute();
      return reply.status(201).send(mcpServerOf(vault, row));
    },
  );
}

function readMcpServerRoute(app: App, control: McpServerRoutesParts): void {
  const { store, vault } = control;
  app.get(
    '/v1/mcp-servers/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Read an MCP server',
        params: idPath,
        response: { 200: mcpServerResponse, ...errorAnswers(404) },
      },
    },
    async (request) =>
      mcpServerOf(vault, await findMcpServer(store, callerOf(request).organizationId, request.params.id)),
  );
}

function changeMcpServerRoute(app: App, control: McpServerRoutesParts): void {
  const { store, vault } = control;
  app.put(
    '/v1/mcp-servers/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Change an MCP server',
        params: idPath,
        body: updateMcpServer,
        response: { 200: mcpServerResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const { id } = await findMcpServer(store, callerOf(request).organizationId, request.params.id);
      await checkUrls(control, request.body);
      const { name, url, auth, allowedTools, timeoutSeconds } = request.body;
      // Fields that are undefined stay as they are, whatever other requests make of them.
      const row = await store.db
        .updateTable('mcp_servers')
        .set({
          name,
          url,
          auth_cipher: auth && closedAuth(vault, id, auth),
          allowed_tools_json: allowedTools && allowedToolsJson(allowedTools),
          timeout_seconds: timeoutSeconds,
          updated_at: isoTime(control.now()),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) throw new HttpError(mcpServerErrors.mcpServerNotFound);
      control.mcpTools.forget(row.id);
      return mcpServerOf(vault, row);
    },
  );
}

function deleteMcpServerRoute(app: App, control: McpServerRoutesParts): void {
  const { store } = control;
  app.delete(
    '/v1/mcp-servers/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Delete an MCP server',
        params: idPath,
        querystring: deletionQuery('refuse'),
        response: { 204: emptyAnswer, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request, reply) => {
      const row = await findMcpServer(store, callerOf(request).organizationId, request.params.id);
      if (request.query.whenUsed === 'refuse') refuseIfUsed(await personasWithMcpServer(store, row.id));
      await store.db.deleteFrom('mcp_servers').where('id', '=', row.id).execute();
      control.mcpTools.forget(row.id);
      return reply.status(204).send(null);
    },
  );
}

function tryMcpServerRoute(app: App, control: McpServerRoutesParts): void {
  const { store, vault } = control;
  app.post(
    '/v1/mcp-servers/:id/test',
    {
      config: oneConfig,
      schema: {
        summary: 'Connect and list the tools',
        description: 'Tells whether a session could use this server now, and if not, why.',
        params: idPath,
        response: { 200: mcpServerTest, ...errorAnswers(404, 409) },
      },
    },
    async (request) => {
      const row = await findMcpServer(store, callerOf(request).organizationId, request.params.id);
      const server = usableMcpServer(vault, row);
      control.mcpTools.forget(row.id);
      const listing = await control.ports.mcp.list(server, AbortSignal.timeout(TEST_TIMEOUT_MS));
      if (!listing.ok) return { ok: false, message: listing.message, tools: [], leftOut: [] };
      const allowed = allowedToolsOf(row);
      return {
        ok: true,
        message: listing.incomplete,
        tools: listing.tools.map((tool) => ({ ...tool, allowed: allowed?.includes(tool.name) ?? true })),
        leftOut: [...listing.leftOut],
      };
    },
  );
}

/** @throws HttpError 400 naming the URLs that do not point to the public internet. */
async function checkUrls(
  { ports }: { readonly ports: Pick<ControlPorts, 'publicUrls'> },
  { url, auth }: McpServerInput,
): Promise<void> {
  const urls = [
    ...(url === undefined ? [] : [{ path: 'url', url }]),
    ...(auth?.type === 'client_credentials' ? [{ path: 'auth.issuer', url: auth.issuer }] : []),
  ];
  const problems = await Promise.all(
    urls.map(async ({ path, url: one }) => {
      const problem = await ports.publicUrls.problemWith(one);
      return problem === null ? [] : [detail(path, problem)];
    }),
  );
  if (problems.flat().length > 0) throw invalid(problems.flat());
}
