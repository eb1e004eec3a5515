import { randomUUID } from 'node:crypto';
import { type App, callerOf, type Control } from '../context.ts';
import { isoTime } from '../../actors/kernel/iso-time.ts';
import { HttpError } from '../errors.ts';
import { contains, readPage } from '../http/paging.ts';
import { emptyAnswer, errorAnswers, idPath } from '../schemas.ts';
import { isUniqueViolation } from '../store/open.ts';
import type { ToolRow } from '../store/tables.ts';
import { checkConfig } from './tool-config.ts';
import { freeName } from './tool-names.ts';
import { findTool, readConfig, toolOf, usableConfig, usageCounts } from './tool-rows.ts';
import { createTool, listTools, toolPage, toolResponse, updateTool } from './tool-schema.ts';
import { toolErrors } from './tool-errors.ts';

const oneConfig = { pathId: { status: 404, missing: toolErrors.toolNotFound } } as const;

/** Saved tools: what a persona can do beyond talking. */
export function toolRoutes(app: App, control: Control): void {
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
      const saved = await withFreeName(control, row, (named) => store.db.insertInto('tools').values(named).execute());
      return reply.status(201).send(toolOf(vault, saved, 0));
    },
  );

  app.get(
    '/v1/tools/:id',
    {
      config: oneConfig,
      schema: { summary: 'Read a tool', params: idPath, response: { 200: toolResponse, ...errorAnswers(404) } },
    },
    async (request) => present(control, await findTool(control, callerOf(request).organizationId, request.params.id)),
  );

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
      const before = await findTool(control, organizationId, request.params.id);
      if (before.type === 'SYSTEM') throw new HttpError('forbidden', { message: 'System tools cannot be changed.' });
      const {
        name = before.name,
        description = before.description,
        type = before.type,
        disableInterruptions,
      } = request.body;
      const keepsConfig = request.body.config === undefined && type === before.type;
      const stored = type === before.type ? (readConfig(vault, before) ?? undefined) : undefined;
      const checked = keepsConfig
        ? usableConfig(vault, before)
        : await checkConfig(control, organizationId, { name, type, config: request.body.config, stored });
      const row: ToolRow = {
        ...before,
        name,
        description,
        type,
        config_cipher: vault.close(JSON.stringify(checked), before.id),
        disable_interruptions:
          disableInterruptions === undefined ? before.disable_interruptions : Number(disableInterruptions),
        updated_at: isoTime(control.now()),
      };
      const saved = await withFreeName(control, row, (named) =>
        store.db.updateTable('tools').set(named).where('id', '=', named.id).execute(),
      );
      return present(control, saved);
    },
  );

  app.delete(
    '/v1/tools/:id',
    {
      config: oneConfig,
      schema: { summary: 'Delete a tool', params: idPath, response: { 204: emptyAnswer, ...errorAnswers(404) } },
    },
    async (request, reply) => {
      const row = await findTool(control, callerOf(request).organizationId, request.params.id);
      if (row.type === 'SYSTEM') throw new HttpError('forbidden', { message: 'System tools cannot be deleted.' });
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

async function present({ store, vault }: Control, row: ToolRow) {
  return toolOf(vault, row, (await usageCounts(store, [row.id])).get(row.id) ?? 0);
}

/** Stores a tool under its name, or under the next free one if another tool has the name: this is not an error. */
async function withFreeName(
  { store }: Control,
  row: ToolRow,
  write: (row: ToolRow) => Promise<unknown>,
): Promise<ToolRow> {
  for (;;) {
    const taken = await store.db
      .selectFrom('tools')
      .select('name')
      .where('organization_id', '=', row.organization_id)
      .where('deleted_at', 'is', null)
      .where('id', '!=', row.id)
      .execute();
    const named = { ...row, name: freeName(row.name, new Set(taken.map(({ name }) => name))) };
    try {
      await write(named);
      return named;
    } catch (error) {
      // Another request took the name in between.
      if (!isUniqueViolation(error)) throw error;
    }
  }
}
