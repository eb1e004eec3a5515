import { z } from 'zod';
import { startedBy } from '../../access/caller.ts';
import { type App, callerOf } from '../../http/app.ts';
import { errorAnswers } from '../../http/schemas.ts';
import { createSessionToken, type SessionRequest } from '../../sessions/start/persona-config.ts';
import { requestsOf } from '../../sessions/start/version-share.ts';
import { checkSession, type CheckSessionParts } from '../../sessions/start/check-session.ts';
import { roomOf } from '../../sessions/start/room-environment.ts';
import { mergedOptions } from '../../sessions/start/session-options.ts';
import { mintToken, type TokenBindingParts } from '../../sessions/start/token-binding.ts';

/** What these routes take of the service. */
export type SessionTokenRoutesParts = CheckSessionParts & TokenBindingParts;

/**
 * Session tokens let a browser start one kind of session without an API key. They represent it without containing it.
 */
export function sessionTokenRoutes(app: App, control: SessionTokenRoutesParts): void {
  app.post(
    '/v1/auth/session-token',
    {
      config: { access: { scope: 'session-tokens' }, unknownFields: 'ignored' },
      schema: {
        summary: 'Make a session token',
        body: createSessionToken,
        response: { 200: z.object({ sessionToken: z.string() }), ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const { body } = request;
      const caller = callerOf(request);
      const wanted = sessionRequestOf(body);
      for (const one of requestsOf(wanted)) await checkSession(control, caller, one);
      return {
        sessionToken: await mintToken(control, {
          organizationId: caller.organizationId,
          ...startedBy(caller),
          visitor: null,
          wanted,
          expiresIn: body.expiresIn,
          widgetConfig: body.widgetConfig ?? null,
        }),
      };
    },
  );
}

type Body = Pick<
  z.infer<typeof createSessionToken>,
  'personaConfig' | 'sessionOptions' | 'environment' | 'clientLabel' | 'clientMetadata'
>;

export function sessionRequestOf(body: Body): SessionRequest {
  const { persona } = body.personaConfig;
  const room = roomOf(body.environment);
  const agent = body.environment?.elevenLabsAgentSettings ?? null;
  return {
    personaConfig: body.personaConfig,
    sessionOptions: mergedOptions(persona.sessionOptions, body.sessionOptions, persona.enableSessionReplay),
    clientLabel: body.clientLabel ?? null,
    clientMetadata: body.clientMetadata ?? null,
    ...(room !== null && { room }),
    ...(agent !== null && { agent }),
    ...(body.environment?.realtime === true && { realtime: { behavior: 'of the client' as const } }),
  };
}
