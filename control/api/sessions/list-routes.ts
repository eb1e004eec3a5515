import { Readable } from 'node:stream';
import { z } from 'zod';
import { VERSION } from '../../../runtime/version.ts';
import { ADMIN } from '../../access/allows.ts';
import { HttpError } from '../../errors/http-error.ts';
import { type App, callerOf } from '../../http/app.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { errorAnswers } from '../../http/schemas.ts';
import { csvOf, jsonLinesOf, MAX_EXPORTED } from '../../sessions/records/export-sessions.ts';
import { sessionFilter, sessionsWith } from '../../sessions/records/session-filter.ts';
import { sessionOf } from '../../sessions/records/session-rows.ts';
import { usageOf } from '../../sessions/records/session-usage.ts';
import { listSessions, sessionResponse } from '../../sessions/records/session-schema.ts';
import type { Store } from '../../store/open.ts';

/** What these routes take of the service. */
export interface SessionListParts {
  readonly store: Store;
}

/** Finding sessions, and taking them along. */
export function sessionListRoutes(app: App, control: SessionListParts): void {
  listSessionsRoute(app, control);
  exportSessionsRoute(app, control);
}

function listSessionsRoute(app: App, { store }: SessionListParts): void {
  app.get(
    '/v1/sessions',
    {
      schema: {
        summary: 'List sessions',
        querystring: listSessions,
        response: { 200: pageOf(sessionResponse), ...errorAnswers(400) },
      },
    },
    async (request) => {
      const { page, perPage, organizationId, ...filter } = request.query;
      const caller = callerOf(request);
      if (organizationId !== undefined && !caller.scopes.includes(ADMIN))
        throw new HttpError('forbidden', { message: 'organizationId needs a key with the scope "admin".' });
      const rows = sessionsWith(store, organizationId ?? caller.organizationId, filter);
      const { rows: found, meta } = await readPage(rows, { page, perPage });
      const usage = await usageOf(
        store,
        found.map(({ id }) => id),
      );
      return { data: found.map((row) => sessionOf(row, VERSION, usage.get(row.id) ?? [])), meta };
    },
  );
}

const TYPES = { csv: 'text/csv; charset=utf-8; header=present', jsonl: 'application/jsonl; charset=utf-8' } as const;

function exportSessionsRoute(app: App, { store }: SessionListParts): void {
  app.get(
    '/v1/sessions/export',
    {
      schema: {
        summary: 'Export sessions',
        description:
          'Newest first, with the filters of the list. `csv`: a line of facts for each session; `jsonl`: one JSON text ' +
          `a line, with what was said. At most ${MAX_EXPORTED} sessions: for more, take one span of time after the other.`,
        querystring: z.object({ ...sessionFilter, format: z.enum(['csv', 'jsonl']).default('csv') }),
        response: {
          200: {
            content: { 'text/csv': { schema: z.string() }, 'application/jsonl': { schema: z.string() } },
          },
          ...errorAnswers(400),
        },
      },
    },
    async (request, reply) => {
      const { format, ...filter } = request.query;
      const rows = sessionsWith(store, callerOf(request).organizationId, filter);
      const parts = format === 'csv' ? csvOf(store, rows) : jsonLinesOf(store, rows);
      return reply
        .type(TYPES[format])
        .header('content-disposition', `attachment; filename="sessions.${format}"`)
        .send(Readable.from(parts) as never);
    },
  );
}
