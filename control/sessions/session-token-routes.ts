import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type App, callerOf, type Control, isoTime } from '../context.ts';
import { errorAnswers } from '../schemas.ts';
import { createSessionToken, type SessionRequest } from './persona-config.ts';
import { resolveSession } from './resolve-session.ts';
import { mergedOptions } from './session-options.ts';

/** Session tokens let a browser start one kind of session without an API key. The service keeps what they stand for. */
export function sessionTokenRoutes(app: App, control: Control): void {
  app.post('/v1/auth/session-token', {
    config: { access: 'session-tokens' },
    schema: { tags: ['Sessions'], summary: 'Make a session token', body: createSessionToken, response: { 200: z.object({ sessionToken: z.string() }), ...errorAnswers(400, 404) } },
  }, async (request) => {
    const { body } = request;
    const caller = callerOf(request);
    const wanted = sessionRequestOf(body);
    await resolveSession(control, caller, wanted);
    return { sessionToken: await mintToken(control, { organizationId: caller.organizationId, apiKeyId: caller.apiKeyId, wanted, expiresIn: body.expiresIn, widgetConfig: body.widgetConfig ?? null }) };
  });
}

type Body = Pick<z.infer<typeof createSessionToken>, 'personaConfig' | 'sessionOptions' | 'clientLabel' | 'clientMetadata'>;

export function sessionRequestOf(body: Body): SessionRequest {
  const { persona } = body.personaConfig;
  return {
    personaConfig: body.personaConfig,
    sessionOptions: mergedOptions(persona.sessionOptions, body.sessionOptions, persona.enableSessionReplay),
    clientLabel: body.clientLabel ?? null,
    clientMetadata: body.clientMetadata ?? null,
  };
}

/** @param expiresIn seconds. @returns the signed token; what it stands for is stored under its id. */
export async function mintToken(control: Control, token: { organizationId: string; apiKeyId: string | null; wanted: SessionRequest; expiresIn: number; widgetConfig: Record<string, unknown> | null }): Promise<string> {
  const now = control.now();
  const jti = randomUUID();
  const { personaConfig } = token.wanted;
  const personaId = personaConfig.type === 'stateful' ? personaConfig.persona.personaId : null;
  const iat = Math.floor(now / 1000);
  const exp = iat + token.expiresIn;
  // The token works only once what it stands for is stored.
  await control.store.db.insertInto('session_tokens').values({
    id: jti,
    organization_id: token.organizationId,
    api_key_id: token.apiKeyId,
    persona_id: personaId,
    request_json: JSON.stringify(token.wanted),
    created_at: isoTime(now),
    expires_at: isoTime(exp * 1000),
  }).execute();
  return control.tokens.mint({
    jti,
    type: personaConfig.type,
    organizationId: token.organizationId,
    apiKeyId: token.apiKeyId,
    iat,
    exp,
    ...(personaId === null ? {} : { personaId }),
    ...(token.wanted.clientLabel === null ? {} : { clientLabel: token.wanted.clientLabel }),
    ...(token.widgetConfig === null ? {} : { widgetConfig: token.widgetConfig }),
  });
}
