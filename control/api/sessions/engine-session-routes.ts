import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { SessionTokenClaims } from '../../access/session-tokens.ts';
import { startedBy } from '../../access/caller.ts';
import { sendAnswer } from '../../cluster/internal-routes.ts';
import { type App, callerOf } from '../../http/app.ts';
import { publicUrl } from '../../http/public-url.ts';
import { HttpError, invalid } from '../../errors/http-error.ts';
import { clientAddress } from '../../http/client-address.ts';
import { detailsOf } from '../../http/validation-details.ts';
import { errorAnswers } from '../../http/schemas.ts';
import { clientConfig } from '../../sessions/start/client-config.ts';
import { type SessionRequest, startWithKey, startWithToken } from '../../sessions/start/persona-config.ts';
import { startAnywhere, type StartAnywhereParts } from '../../sessions/start/start-anywhere.ts';
import type { SessionStarter, Visitor } from '../../sessions/start/start-session.ts';
import { forwardRequest } from '../../sessions/start/forward-request.ts';
import { sessionRequestOf } from './session-token-routes.ts';
import type { SessionOptions } from '../../sessions/start/session-options.ts';
import { boundStart } from '../../sessions/start/token-binding.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import type { RateLimits } from '../../http/rate-limits.ts';
import type { Settings } from '../../settings/settings.ts';

/** What these routes take of the service. */
export type EngineSessionRoutesParts = StartAnywhereParts & {
  readonly limits: RateLimits;
};

const started = z
  .object({
    sessionId: z.string(),
    region: z.string().nullable(),
    engineHost: z
      .string()
      .optional()
      .describe('Host and port, without a scheme. Absent when the persona is in a room.'),
    engineProtocol: z.enum(['http', 'https']),
    signallingEndpoint: z.string().describe('Path of the WebSocket.'),
    clientConfig,
  })
  .meta({ id: 'StartedSession' });

/** Characters of a text to speak: about half an hour of speech. */
const MAX_TALK_LENGTH = 32_768;
/** Bytes of a request to speak: its longest text, with every character escaped. */
const MAX_TALK_SIZE = 6 * MAX_TALK_LENGTH + 1024;

/** A text without a visible character is refused. */
const talk = z.object({
  content: z
    .string()
    .max(MAX_TALK_LENGTH)
    .meta({ minLength: 1, pattern: String.raw`\S` }),
});

/** Starts a session: with a session token, or with an API key and the persona in the body. */
export function engineSessionRoutes(app: App, control: EngineSessionRoutesParts): void {
  app.post(
    '/v1/engine/session',
    {
      config: { access: { scope: 'session-tokens', orToken: 'session' }, unknownFields: 'ignored' },
      schema: {
        summary: 'Start a session',
        description:
          'With a session token the body may be absent. With an API key it holds the persona, as for `POST /v1/auth/session-token`.',
        body: z.unknown().meta({
          anyOf: [
            { $ref: '#/components/schemas/StartSessionInput' },
            { $ref: '#/components/schemas/StartSessionWithTokenInput' },
          ],
        }),
        response: { 200: started, ...errorAnswers(400, 402, 404, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      const { starter, wanted } =
        request.sessionToken === null
          ? withKey(control, request)
          : await withToken(control, request, request.sessionToken);
      const begun = await startAnywhere(control, request, { ...starter, startedBy: request.trace }, wanted);
      return begun.kind === 'here' ? begun.session : sendAnswer(reply, begun.answer);
    },
  );

  app.post(
    '/talk',
    {
      config: { access: 'open' },
      bodyLimit: MAX_TALK_SIZE,
      onRequest: control.limits.talk,
      schema: {
        summary: 'Let the persona say a text, verbatim',
        querystring: z.object({ session_id: z.string().max(128).default('') }),
        body: talk,
        response: { 200: z.object({}), ...errorAnswers(400, 404, 429, 503) },
      },
    },
    async (request, reply) => {
      const { content } = request.body;
      if (content.trim() === '') throw invalid([{ path: 'content', message: 'must not be empty', code: 'too_small' }]);
      const { session_id: sessionId } = request.query;
      switch (control.engine.talk(sessionId, content)) {
        case 'taken':
          return {};
        case 'too much':
          throw new HttpError('tooManyRequests', { message: 'This session was given more text than it can say.' });
        case 'not live': {
          const owner = request.forwarded === null ? await control.cluster?.ownerElsewhere(sessionId) : null;
          if (owner != null) return sendAnswer(reply, await forwardRequest(control, request, owner));
          throw new HttpError(sessionErrors.sessionNotFound, { message: 'There is no live session with this id.' });
        }
      }
    },
  );
}

interface Start {
  readonly starter: SessionStarter;
  readonly wanted: SessionRequest;
}

function withKey(
  control: { readonly settings: Pick<Settings, 'PARLEY_HOST' | 'PARLEY_PUBLIC_URL' | 'PORT'> },
  request: FastifyRequest,
): Start {
  const caller = callerOf(request);
  const body = parsed(startWithKey, objectOf(request.body));
  const wanted = sessionRequestOf(body);
  return {
    starter: { ...startedBy(caller), caller, visitor: null, baseUrl: publicUrl(control, request) },
    wanted: { ...wanted, sessionOptions: withDetection(wanted.sessionOptions, body.voiceDetection) },
  };
}

async function withToken(
  control: Pick<EngineSessionRoutesParts, 'store' | 'vault'> & {
    readonly settings: Pick<Settings, 'PARLEY_HOST' | 'PARLEY_PUBLIC_URL' | 'PORT'>;
  },
  request: FastifyRequest,
  claims: SessionTokenClaims,
): Promise<Start> {
  const { wanted: bound, organizationId, entitlements, ...by } = await boundStart(control, claims);
  const body = parsed(startWithToken, objectOf(request.body));
  const baseUrl = publicUrl(control, request);
  return {
    starter: { ...by, caller: { organizationId, entitlements }, visitor: visitorOf(request, claims), baseUrl },
    wanted: {
      ...bound,
      sessionOptions: {
        ...withDetection(bound.sessionOptions, body.voiceDetection ?? body.sessionOptions?.voiceDetection),
        // A page may say that its persona is an AI, and never hide it.
        ...(body.sessionOptions?.showAIAvatarDisclosure === true && { showAIAvatarDisclosure: true }),
      },
      clientMetadata: body.clientMetadata ?? bound.clientMetadata,
      // Whoever has only a token does not say what the persona does.
      ...((body.environment?.realtime === true || bound.realtime !== undefined) && {
        realtime: { behavior: 'fixed' as const },
      }),
    },
  };
}

/** @throws HttpError 403 when a page of another origin uses the token than the one that asked for it. */
function visitorOf(request: FastifyRequest, claims: SessionTokenClaims): Visitor | null {
  if (claims.public !== true) return null;
  const { origin = null, shareLinkId = null } = claims;
  // A gateway of the web site may stand between, and leave the header out.
  const from = request.headers.origin;
  if (origin !== null && from !== undefined && from !== origin)
    throw new HttpError('originNotAllowed', { message: 'This session token was made for another web site.' });
  return {
    tokenId: claims.jti,
    tokenExpiresAt: claims.exp * 1000,
    address: clientAddress(request),
    origin,
    shareLinkId,
  };
}

function withDetection(options: SessionOptions, voiceDetection: SessionOptions['voiceDetection']): SessionOptions {
  return voiceDetection === undefined ? options : { ...options, voiceDetection };
}

function objectOf(body: unknown): unknown {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw new HttpError('invalidBody');
  return body;
}

/** The schema depends on the credential, so the route itself cannot check it. */
function parsed<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const result = schema.safeParse(body);
  if (!result.success) throw invalid(detailsOf(result.error, body));
  return result.data;
}
