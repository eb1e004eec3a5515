import { z } from 'zod';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { App } from '../../http/app.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import type { FastifyRequest } from 'fastify';
import { HttpError } from '../../errors/http-error.ts';
import { isOwnOrigin, onlyForOrigin } from '../../http/origins.ts';
import { visitorValues } from '../personas/persona-variables.ts';
import { publicLook, publicLookOf } from '../personas/public-look.ts';
import { errorAnswers, errorBody } from '../../http/schemas.ts';
import { mintVisitorToken, type VisitorTokenParts } from '../../sessions/start/visitor-token.ts';
import type { PersonaRow, ShareLinkRow } from '../../store/tables.ts';
import { linkStateOf, requireUsable } from '../../sessions/start/link-state.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';
import type { RateLimits } from '../../http/rate-limits.ts';
import type { AvatarPreviews } from '../avatars/avatar-previews.ts';
import type { Settings } from '../../settings/settings.ts';

/** What these routes take of the service. */
export type VisitorRoutesParts = VisitorTokenParts &
  PublicUrlParts & {
    readonly signer: UrlSigner;
    readonly limits: RateLimits;
    readonly previews: AvatarPreviews | null;
  };

/** 16 random bytes in base64url, with room for tokens of other deployments. Others are not looked up. */
const LINK_TOKEN = /^[\w-]{8,128}$/;
/** Bytes of a request for a session token: a short JSON object. */
const MAX_BODY_SIZE = 16_384;

/**
 * What the page of a share link needs: no key, only the link. Pages of this service may use every link, other web sites
 * those that allow them.
 */
export function shareLinkVisitorRoutes(app: App, control: VisitorRoutesParts): void {
  sharedLookRoute(app, control);
  linkTokenRoute(app, control);
}

function sharedLookRoute(app: App, control: VisitorRoutesParts): void {
  app.get(
    '/v1/shared/:token',
    {
      config: { access: 'open' },
      onRequest: control.limits.publicRoute,
      schema: {
        summary: 'What a share link leads to',
        params: z.object({ token: z.string() }),
        response: { 200: publicLook, ...errorAnswers(404, 429), 410: errorBody },
      },
    },
    async (request, reply) => {
      const { link, persona } = await openLink(control, request.params.token);
      const { origin } = request.headers;
      // Browsers do not tell the origin of a page that asks its own service.
      if (origin !== undefined) {
        requireAllowedOrigin(control, link, origin, request);
        onlyForOrigin(reply, origin);
      }
      return lookOf(control, request, link, persona);
    },
  );
}

function linkTokenRoute(app: App, control: VisitorRoutesParts): void {
  app.post(
    '/v1/auth/share-link',
    {
      config: { access: 'open' },
      bodyLimit: MAX_BODY_SIZE,
      onRequest: control.limits.publicRoute,
      schema: {
        summary: 'Make a session token for a visitor with a share link',
        description:
          'Each session that is started with the token counts as one use of the link, unless nobody connects to it. ' +
          'Only pages of the origin that asked can use the session.',
        body: z.object({
          token: z.string(),
          variableValues: visitorValues.optional(),
        }),
        response: {
          200: z.object({ sessionToken: z.string() }),
          ...errorAnswers(400, 404, 429, 503),
          410: errorBody,
        },
      },
    },
    async (request, reply) => {
      const { link, persona } = await openLink(control, request.body.token);
      const { origin } = request.headers;
      requireAllowedOrigin(control, link, origin, request);
      const look = await lookOf(control, request, link, persona);
      const sessionToken = await mintVisitorToken(control, {
        persona,
        look,
        origin,
        clientLabel: 'share-link',
        shareLinkId: link.id,
        variableValues: JSON.parse(link.variable_values_json),
        visitorValues: request.body.variableValues,
        versions: link.versions_json === null ? undefined : JSON.parse(link.versions_json),
      });
      onlyForOrigin(reply, origin);
      return { sessionToken };
    },
  );
}

/** @throws HttpError 404, 410 or 429 unless somebody can talk with the link now. */
async function openLink(
  { store, now }: Pick<VisitorRoutesParts, 'store' | 'now'>,
  token: string,
): Promise<{ link: ShareLinkRow; persona: PersonaRow }> {
  const link = LINK_TOKEN.test(token)
    ? await store.db.selectFrom('share_links').selectAll().where('token', '=', token).executeTakeFirst()
    : undefined;
  requireUsable(linkStateOf(link, isoTime(now())));
  const persona = await store.db
    .selectFrom('personas')
    .selectAll()
    .where('id', '=', link!.persona_id)
    .executeTakeFirstOrThrow();
  return { link: link!, persona };
}

function requireAllowedOrigin(
  control: PublicUrlParts,
  link: ShareLinkRow,
  origin: string | undefined,
  request: FastifyRequest,
): asserts origin is string {
  if (origin !== undefined) {
    const allowed = JSON.parse(link.allowed_origins_json) as readonly string[];
    if (
      link.allow_all_origins === 1 ||
      allowed.includes(origin) ||
      isOwnOrigin(origin, request, publicUrl(control, request))
    )
      return;
  }
  throw new HttpError('originNotAllowed', { message: 'This link may not be used on this web site.' });
}

async function lookOf(
  control: Pick<VisitorRoutesParts, 'signer' | 'references' | 'previews'> & {
    readonly settings: Pick<Settings, 'PARLEY_HOST' | 'PARLEY_PUBLIC_URL' | 'PORT'>;
  },
  request: FastifyRequest,
  link: ShareLinkRow,
  persona: PersonaRow,
) {
  const look = await publicLookOf(control, publicUrl(control, request), persona);
  const removeWatermark = look.widgetConfig.removeWatermark || link.remove_watermark === 1;
  return { ...look, widgetConfig: { ...look.widgetConfig, removeWatermark } };
}
