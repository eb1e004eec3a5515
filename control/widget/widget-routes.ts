import { z } from 'zod';
import type { App, Control } from '../context.ts';
import { publicUrl } from '../context.ts';
import { HttpError } from '../errors.ts';
import { avatarView } from '../personas/persona-view.ts';
import { widgetConfigOf } from '../personas/persona-rows.ts';
import { isPublished, originAllowed, WIDGET_DEFAULTS } from '../personas/widget-config.ts';
import { errorAnswers, errorBody, idPath } from '../schemas.ts';
import { mintToken } from '../sessions/token-binding.ts';
import type { SessionRequest } from '../sessions/persona-config.ts';
import { unlessUnavailable } from '../sessions/visitor-errors.ts';
import { checkSession } from '../sessions/check-session.ts';
import type { PersonaRow } from '../store/tables.ts';
import { personaErrors } from '../personas/persona-errors.ts';
import { widgetErrors } from './widget-errors.ts';

/** For how many seconds a widget's token can start sessions. */
const WIDGET_TOKEN_SECONDS = 3600;
/** Bytes of a request for one: a short JSON object. */
const LARGEST_BODY = 4096;

const look = z.object({
  layout: z.string(),
  initialState: z.string(),
  position: z.string(),
  showCaptions: z.boolean(),
  showTextInput: z.boolean(),
  showMuteButton: z.boolean(),
  showTranscript: z.boolean(),
  removeWatermark: z.boolean(),
  callToAction: z.string(),
});
const agent = z.object({
  name: z.string(),
  avatarImageUrl: z.string().nullable(),
  avatarVideoUrl: z.string().nullable(),
});

/** What the embeddable widget needs: no key, only web sites that the persona allows. */
export function widgetRoutes(app: App, control: Control): void {
  app.get(
    '/v1/personas/:id/widget',
    {
      config: { access: 'open', pathId: { status: 404, missing: personaErrors.personaNotFound } },
      onRequest: control.limits.publicRoute,
      schema: {
        summary: 'How the widget of a persona looks',
        params: idPath,
        response: {
          200: z.object({ persona: agent, widgetConfig: look }),
          403: errorBody,
          404: errorBody,
          429: errorBody,
        },
      },
    },
    async (request) => {
      const row = await anyPersona(control, request.params.id);
      // A persona that no web site may show is private: not even its name is told. Some pages ask without an Origin.
      const { origin } = request.headers;
      const config = widgetConfigOf(row);
      if (!isPublished(config) || (origin !== undefined && !originAllowed(config, origin)))
        throw new HttpError(widgetErrors.originNotAllowed);
      const {
        callToAction,
        layout,
        initialState,
        position,
        showTextInput,
        showMuteButton,
        showTranscript,
        showCaptions,
        removeWatermark,
      } = { ...WIDGET_DEFAULTS, ...config };
      return {
        persona: await agentOf(control, publicUrl(control, request), row),
        widgetConfig: {
          layout,
          initialState,
          position,
          showCaptions,
          showTextInput,
          showMuteButton,
          showTranscript,
          removeWatermark,
          callToAction,
        },
      };
    },
  );

  app.post(
    '/v1/auth/widget',
    {
      config: { access: 'open' },
      bodyLimit: LARGEST_BODY,
      onRequest: control.limits.publicRoute,
      schema: {
        summary: 'Make a session token for a widget',
        body: z.object({ agentId: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/) }),
        response: { 200: z.object({ sessionToken: z.string() }), ...errorAnswers(400, 404, 413, 429, 503) },
      },
    },
    async (request) => {
      const row = await anyPersona(control, request.body.agentId);
      const config = widgetConfigOf(row);
      if (!originAllowed(config, request.headers.origin)) throw new HttpError(widgetErrors.originNotAllowed);
      const organization = await control.store.db
        .selectFrom('organizations')
        .select('entitlements_json')
        .where('id', '=', row.organization_id)
        .executeTakeFirstOrThrow();
      const wanted: SessionRequest = {
        personaConfig: { type: 'stateful', persona: { personaId: row.id } },
        sessionOptions: {},
        clientLabel: 'widget',
        clientMetadata: null,
      };
      const caller = { organizationId: row.organization_id, entitlements: JSON.parse(organization.entitlements_json) };
      await unlessUnavailable(control.log, row.id, checkSession(control, caller, wanted));
      const { name, avatarImageUrl, avatarVideoUrl } = await agentOf(control, publicUrl(control, request), row);
      const widgetConfig = {
        personaName: name,
        avatarImageUrl,
        avatarVideoUrl,
        removeWatermark: config.removeWatermark ?? false,
      };
      return {
        sessionToken: await mintToken(control, {
          organizationId: row.organization_id,
          apiKeyId: null,
          public: true,
          wanted,
          expiresIn: WIDGET_TOKEN_SECONDS,
          widgetConfig,
        }),
      };
    },
  );
}

async function agentOf(control: Control, baseUrl: string, row: PersonaRow): Promise<z.infer<typeof agent>> {
  const avatar = row.avatar_id === null ? null : await control.references.avatar(row.organization_id, row.avatar_id);
  const shown = avatar === null ? null : avatarView(control, baseUrl, avatar);
  return {
    name: row.name,
    avatarImageUrl: shown?.imageUrl ?? null, // Shown over and over until the visitor calls: the face that waits.
    avatarVideoUrl: shown?.idleVideoUrl ?? null,
  };
}

async function anyPersona({ store }: Control, id: string): Promise<PersonaRow> {
  const row = await store.db.selectFrom('personas').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new HttpError(personaErrors.personaNotFound);
  return row;
}
