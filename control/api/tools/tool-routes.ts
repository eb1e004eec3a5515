import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { type App, callerOf } from '../../http/app.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { HttpError } from '../../errors/http-error.ts';
import { contains, readPage } from '../../http/paging.ts';
import { deletionQuery, emptyAnswer, errorAnswers, idPath } from '../../http/schemas.ts';
import { personasWithTool, refuseIfUsed } from '../../catalogue/uses.ts';
import { changeRow } from '../../store/change-row.ts';
import { isUniqueViolation, type Store } from '../../store/open.ts';
import type { ToolRow } from '../../store/tables.ts';
import { checkConfig } from './tool-config.ts';
import { freeName } from './tool-names.ts';
import { findTool, readConfig, toolOf, usableConfig, usageCounts } from './tool-rows.ts';
import { createTool, listTools, toolPage, toolResponse, updateTool } from './tool-schema.ts';
import { toolErrors } from './tool-errors.ts';
import type { ControlPorts } from '../../ports.ts';
import type { Vault } from '../../access/vault.ts';
import type { References } from '../../catalogue/references.ts';

/** What these routes take of the service. */
export interface ToolRoutesParts {
  readonly store: Store;
  readonly ports: Pick<ControlPorts, 'publicUrls'>;
  readonly vault: Vault;
  readonly references: References;
  readonly now: () => number;
}

const oneConfig = { pathId: { status: 404, missing: toolErrors.toolNotFound } } as const;

/** Saved tools: what a persona can do beyond talking. */
export function toolRoutes(app: App, control: ToolRoutesParts): void {
  listToolsRoute(app, control);
  createToolRoute(app, control);
  readToolRoute(app, control);
  changeToolRoute(app, control);
  deleteToolRoute(app, control);
}

function listToolsRoute(app: App, control: ToolRoutesParts): void {
  const { store, vault } = control;
  app.get(
    '/v1/tools',
    {
      schema: {
        summary: 'List tools',
        querystring: listTools,
        response: { 200: toolPage, ...errorAnswers(400) },
      },
    },
    async (request) => {
      const { page, perPage, search } = request.query;
      let rows = store.db
        .selectFrom('tools')
        .where('organization_id', '=', callerOf(request).organizationId)
        .where('deleted_at', 'is', null);
      if (search !== undefined) {
        rows = rows.where((eb) =>
          eb.or([contains('name', search), contains('description', search), contains('id', search)]),
        );
      }
      const { rows: found, meta } = await readPage(rows, { page, perPage });
      const counts = await usageCounts(
        store,
        found.map((row) => row.id),
      );
      return {
        data: found.map((row) => toolOf(vault, row, counts.get(row.id) ?? 0)),
        meta: { ...meta, page: meta.currentPage, totalPages: meta.lastPage },
      };
    },
  );
}

function createToolRoute(app: App, control: ToolRoutesParts): void {
  const { store, vault } = control;
  app.post(
    '/v1/tools',
    {
      schema: {
        summary: 'Create a tool',
        body: createTool,
        response: { 201: toolResponse, ...errorAnswers(400) },
      },
    },
    async (request, reply) => {
      const { organizationId } = callerOf(request);
      const { name, description, type, disableInterruptions } = request.body;
      const checked = await checkConfig(control, organizationId, {
        name,
        type,
        config: request.body.config ?? (type === 'CLIENT' ? {} : undefined),
      });
      const id = randomUUID();
      const row: ToolRow = {
        id,
        organization_id: organizationId,
        name,
        description,
        type,
        config_cipher: vault.close(JSON.stringify(checked), id),
        disable_interruptions: Number(disableInterruptions),
        created_at: isoTime(control.now()),
        updated_at: null,
        deleted_at: null,
      };
      const saved = await untilNameIsFree(async () => {
        const named = { ...row, name: await freeNameFor(control, row) };
        await store.db.insertInto('tools').values(named).execute();
        return named;
      });
      return reply.status(201).send(toolOf(vault, saved, 0));
    },
  );
}

function readToolRoute(app: App, control: ToolRoutesParts): void {
  app.get(
    '/v1/tools/:id',
    {
      config: oneConfig,
      schema: { summary: 'Read a tool', params: idPath, response: { 200: toolResponse, ...errorAnswers(404) } },
    },
    async (request) => present(control, await findTool(control, callerOf(request).organizationId, request.params.id)),
  );
}

function changeToolRoute(app: App, control: ToolRoutesParts): void {
  app.put(
    '/v1/tools/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Change a tool',
        params: idPath,
        body: updateTool,
        response: { 200: toolResponse, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request) => {
      const { organizationId } = callerOf(request);
      const find = () => findTool(control, organizationId, request.params.id);
      const saved = await untilNameIsFree(() =>
        changeRow(control, 'tools', find, async (before, at) => {
          const row = await changedTool(control, before, request.body, at);
          return { after: { ...row, name: await freeNameFor(control, row) } };
        }),
      );
      return present(control, saved);
    },
  );
}

function deleteToolRoute(app: App, control: ToolRoutesParts): void {
  const { store } = control;
  app.delete(
    '/v1/tools/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Delete a tool',
        description: 'Personas that have it lose it.',
        params: idPath,
        querystring: deletionQuery('delete'),
        response: { 204: emptyAnswer, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request, reply) => {
      const row = await findTool(control, callerOf(request).organizationId, request.params.id);
      if (row.type === 'SYSTEM') throw new HttpError('forbidden', { message: 'System tools cannot be deleted.' });
      if (request.query.whenUsed === 'refuse') refuseIfUsed(await personasWithTool(store, row.id));
      await store.atomically([
        store.db.deleteFrom('persona_tools').where('tool_id', '=', row.id),
        store.db
          .updateTable('tools')
          .set({ deleted_at: isoTime(control.now()) })
          .where('id', '=', row.id),
      ]);
      return reply.status(204).send(null);
    },
  );
}

async function present({ store, vault }: Pick<ToolRoutesParts, 'store' | 'vault'>, row: ToolRow) {
  return toolOf(vault, row, (await usageCounts(store, [row.id])).get(row.id) ?? 0);
}

/** @throws HttpError 400; 403 for system tools; 409 for a kept configuration that cannot be opened. */
async function changedTool(
  control: Pick<ToolRoutesParts, 'ports' | 'vault' | 'references'>,
  before: ToolRow,
  body: z.infer<typeof updateTool>,
  at: string,
): Promise<ToolRow> {
  const { vault } = control;
  if (before.type === 'SYSTEM') throw new HttpError('forbidden', { message: 'System tools cannot be changed.' });
  const { name = before.name, description = before.description, type = before.type, config } = body;
  const row: ToolRow = {
    ...before,
    name,
    description,
    type,
    disable_interruptions:
      body.disableInterruptions === undefined ? before.disable_interruptions : Number(body.disableInterruptions),
    updated_at: at,
  };
  if (config === undefined && type === before.type) {
    usableConfig(vault, before);
    return row;
  }
  const stored = type === before.type ? (readConfig(vault, before) ?? undefined) : undefined;
  const checked = await checkConfig(control, before.organization_id, { name, type, config, stored });
  return { ...row, config_cipher: vault.close(JSON.stringify(checked), before.id) };
}

/** The name of a tool, or the next free one if another tool has the name: this is not an error. */
async function freeNameFor({ store }: Pick<ToolRoutesParts, 'store'>, row: ToolRow): Promise<string> {
  const taken = await store.db
    .selectFrom('tools')
    .select('name')
    .where('organization_id', '=', row.organization_id)
    .where('deleted_at', 'is', null)
    .where('id', '!=', row.id)
    .execute();
  return freeName(row.name, new Set(taken.map(({ name }) => name)));
}

/** Another request may take a free name before it is written. */
async function untilNameIsFree(write: () => Promise<ToolRow>): Promise<ToolRow> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
  }
}
