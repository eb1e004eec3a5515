import { z } from 'zod';
import type { App } from '../../http/app.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import { HttpError } from '../../errors/http-error.ts';
import { onlyForOrigin } from '../../http/origins.ts';
import { publicLook, publicLookOf } from '../personas/public-look.ts';
import { visitorValues } from '../personas/persona-variables.ts';
import { widgetConfigOf } from '../personas/persona-rows.ts';
import { isPublished, originAllowed } from '../personas/widget-config.ts';
import { errorAnswers, errorBody, idPath } from '../../http/schemas.ts';
import { mintVisitorToken, type VisitorTokenParts } from '../../sessions/start/visitor-token.ts';
import type { PersonaRow } from '../../store/tables.ts';
import { personaErrors } from '../personas/persona-errors.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';
import type { RateLimits } from '../../http/rate-limits.ts';
import type { AvatarPreviews } from '../avatars/avatar-previews.ts';

/** What these routes take of the service. */
export type WidgetRoutesParts = VisitorTokenParts &
  PublicUrlParts & {
    readonly signer: UrlSigner;
    readonly limits: RateLimits;
    readonly previews: AvatarPreviews | null;
  };

/** Others are not looked up. */
const PERSONA_ID = /^[a-zA-Z0-9_-]{1,128}$/;
/** Bytes of a request for one: a short JSON object. */
const MAX_BODY_SIZE = 16_384;

/** What the embeddable widget needs: no key, only web sites that the persona allows. */
export function widgetRoutes(app: App, control: WidgetRoutesParts): void {
  widgetLookRoute(app, control);
  widgetTokenRoute(app, control);
}

function widgetLookRoute(app: App, control: WidgetRoutesParts): void {
  app.get(
    '/v1/personas/:id/widget',
    {
      config: { access: 'open', pathId: { status: 404, missing: personaErrors.personaNotFound } },
      onRequest: control.limits.publicRoute,
      schema: {
        summary: 'How the widget of a persona looks',
        params: idPath,
        response: {
          200: publicLook,
          403: errorBody,
          404: errorBody,
          429: errorBody,
        },
      },
    },
    async (request, reply) => {
      const row = await anyPersona(control, request.params.id);
      // A persona that no web site may show is private: not even its name is told. Some pages ask without an Origin.
      const { origin } = request.headers;
      const config = widgetConfigOf(row);
      if (!isPublished(config) || (origin !== undefined && !originAllowed(config, origin)))
        throw new HttpError('originNotAllowed');
      if (origin !== undefined) onlyForOrigin(reply, origin);
      return publicLookOf(control, publicUrl(control, request), row);
    },
  );
}

function widgetTokenRoute(app: App, control: WidgetRoutesParts): void {
  app.post(
    '/v1/auth/widget',
    {
      config: { access: 'open' },
      bodyLimit: MAX_BODY_SIZE,
      onRequest: control.limits.publicRoute,
      schema: {
        summary: 'Make a session token for a widget',
        body: z.object({
          agentId: z.string().describe('The id of the persona.'),
          variableValues: visitorValues.optional(),
        }),
        response: { 200: z.object({ sessionToken: z.string() }), ...errorAnswers(400, 404, 429, 503) },
      },
    },
    async (request, reply) => {
      const persona = await anyPersona(control, request.body.agentId);
      const { origin } = request.headers;
      if (!originAllowed(widgetConfigOf(persona), origin)) throw new HttpError('originNotAllowed');
      const look = await publicLookOf(control, publicUrl(control, request), persona);
      const sessionToken = await mintVisitorToken(control, {
        persona,
        look,
        origin,
        clientLabel: 'widget',
        shareLinkId: null,
        variableValues: widgetConfigOf(persona).variableValues ?? {},
        visitorValues: request.body.variableValues,
        versions: widgetConfigOf(persona).versions ?? undefined,
      });
      onlyForOrigin(reply, origin);
      return { sessionToken };
    },
  );
}

/** @throws HttpError 404. */
async function anyPersona({ store }: Pick<WidgetRoutesParts, 'store'>, id: string): Promise<PersonaRow> {
  if (!PERSONA_ID.test(id)) throw new HttpError(personaErrors.personaNotFound);
  const row = await store.db.selectFrom('personas').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new HttpError(personaErrors.personaNotFound);
  return row;
}
