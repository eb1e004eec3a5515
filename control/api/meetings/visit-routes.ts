import { z } from 'zod';
import { type App, callerOf } from '../../http/app.ts';
import { ERRORS, HttpError } from '../../errors/http-error.ts';
import { errorAnswers, idPath } from '../../http/schemas.ts';
import { sendAnswer } from '../../cluster/internal-routes.ts';
import { forwardRequest } from '../../sessions/start/forward-request.ts';
import { findInvite } from './invite-view.ts';
import type { MeetingCalendar } from './meeting-calendar.ts';
import { meetingErrors } from './meeting-errors.ts';
import { type MeetingProviders, providersResponse } from './meeting-schema.ts';
import type { PublicUrlParts } from '../../http/public-url.ts';
import type { Store } from '../../store/open.ts';
import type { ControlPorts } from '../../ports.ts';
import type { Cluster } from '../../cluster/cluster.ts';

/** What these routes take of the service. */
export type VisitRoutesParts = PublicUrlParts & {
  readonly store: Store;
  readonly ports: Pick<ControlPorts, 'meetings' | 'meetingsUnavailable'>;
  readonly cluster: Cluster | null;
};

/** Whose meetings can be joined, and what a persona sees in one. */
export function visitRoutes(app: App, control: VisitRoutesParts, calendar: MeetingCalendar | null): void {
  app.get(
    '/v1/meetings/providers',
    {
      config: { needsEngine: () => true },
      schema: {
        summary: 'Whose meetings can be joined',
        response: { 200: providersResponse, ...errorAnswers() },
      },
    },
    async () => ({
      enabled: calendar !== null,
      message: control.ports.meetingsUnavailable?.why ?? null,
      data: (control.ports.meetings?.providers ?? []).map((provider) => ({
        ...provider,
        id: provider.id as MeetingProviders['data'][number]['id'],
        conditions: [...provider.conditions],
      })),
    }),
  );

  app.get(
    '/v1/meetings/invites/:id/picture',
    {
      config: { pathId: { status: 404, missing: ERRORS.notFound } },
      schema: {
        summary: 'See what the persona sees in the meeting',
        description: 'A JPEG of this moment, while the persona is in the meeting or on its way.',
        params: idPath,
        response: {
          200: { description: 'A JPEG.', content: { 'image/jpeg': { schema: z.any() } } },
          ...errorAnswers(404, 503),
        },
      },
    },
    async (request, reply) => {
      const { id, visited_from: from } = await findInvite(control, callerOf(request).organizationId, request.params.id);
      const picture = (await calendar?.picture(id)) ?? null;
      if (picture === null && from !== null && request.forwarded === null) {
        const node = await control.cluster?.engineElsewhere(from);
        if (node != null) return sendAnswer(reply, await forwardRequest(control, request, node));
      }
      if (picture === null) throw new HttpError(meetingErrors.pictureNotFound);
      return reply.type('image/jpeg').header('cache-control', 'private, no-store').send(Buffer.from(picture));
    },
  );
}
