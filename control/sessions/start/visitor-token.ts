import type { PublicLook } from '../../api/personas/public-look.ts';
import type { VariableValues } from '../../api/personas/persona-variables.ts';
import type { VersionShares } from '../../api/personas/version-shares-schema.ts';
import type { PersonaRow } from '../../store/tables.ts';
import { checkSession, type CheckSessionParts } from './check-session.ts';
import type { SessionRequest } from './persona-config.ts';
import { requestsOf } from './version-share.ts';
import { mintToken, type TokenBindingParts } from './token-binding.ts';
import { unlessUnavailable } from './visitor-errors.ts';
import type { Logger } from '../../../runtime/log.ts';

/** What is taken of the service here. */
export type VisitorTokenParts = CheckSessionParts &
  TokenBindingParts & {
    readonly log: Logger;
  };

/** For how many seconds a visitor's token can start sessions. How many: `session-slots.ts`. */
const VISITOR_TOKEN_SECONDS = 3600;

export interface WantedVisitorToken {
  readonly persona: PersonaRow;
  readonly look: PublicLook;
  /** Of the page that asks: only its pages can use the session. */
  readonly origin: string;
  /** Shown beside the session in lists and analytics. */
  readonly clientLabel: 'widget' | 'share-link';
  /** Null for a widget that has none. */
  readonly shareLinkId: string | null;
  /** Of the link or the widget. What the persona no longer declares is left out. */
  readonly variableValues: VariableValues;
  /** What the visitor sent: only what the persona takes of visitors counts. */
  readonly visitorValues: VariableValues | undefined;
  /** Undefined: what is live. */
  readonly versions: VersionShares | undefined;
}

/**
 * A token for somebody without an API key: it starts a few sessions of one saved persona, unchanged.
 * @throws HttpError 503 when the persona cannot be talked to; only the log says why.
 */
export async function mintVisitorToken(control: VisitorTokenParts, token: WantedVisitorToken): Promise<string> {
  const { persona, look, origin, shareLinkId } = token;
  const { organization_id: organizationId } = persona;
  const organization = await control.store.db
    .selectFrom('organizations')
    .select('entitlements_json')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const wanted = requestOf(token);
  const caller = { organizationId, entitlements: JSON.parse(organization.entitlements_json) };
  for (const request of requestsOf(wanted))
    await unlessUnavailable(control.log, persona.id, checkSession(control, caller, request));
  const { name, avatarImageUrl, avatarVideoUrl } = look.persona;
  return mintToken(control, {
    organizationId,
    apiKeyId: null,
    userId: null,
    visitor: { origin, shareLinkId },
    wanted,
    expiresIn: VISITOR_TOKEN_SECONDS,
    widgetConfig: {
      personaName: name,
      avatarImageUrl,
      avatarVideoUrl,
      removeWatermark: look.widgetConfig.removeWatermark,
    },
  });
}

/** A persona without values and versions needs no row: the token says everything. */
function requestOf({
  persona,
  clientLabel,
  variableValues,
  visitorValues = {},
  versions,
}: WantedVisitorToken): SessionRequest {
  const hasValues = Object.keys({ ...variableValues, ...visitorValues }).length > 0;
  return {
    personaConfig: {
      type: 'stateful',
      persona: {
        personaId: persona.id,
        ...(hasValues && { variableValues }),
        ...(versions !== undefined && { versions }),
      },
    },
    sessionOptions: {},
    clientLabel,
    clientMetadata: null,
    ...(hasValues && { visitorValues }),
  };
}
