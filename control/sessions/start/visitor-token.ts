import type { PublicLook } from '../../api/personas/public-look.ts';
import {
  declaredValues,
  type VariableDeclarations,
  type VariableValues,
  valuesOfVisitor,
} from '../../api/personas/persona-variables.ts';
import type { PersonaRow } from '../../store/tables.ts';
import { checkSession, type CheckSessionParts } from './check-session.ts';
import type { SessionRequest } from './persona-config.ts';
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
  /** What the visitor sent. */
  readonly visitorValues: VariableValues | undefined;
}

/**
 * A token for somebody without an API key: it starts a few sessions of one saved persona, unchanged.
 * @throws HttpError 503 when the persona cannot be talked to; only the log says why.
 */
export async function mintVisitorToken(control: VisitorTokenParts, token: WantedVisitorToken): Promise<string> {
  const { persona, look, origin, clientLabel, shareLinkId } = token;
  const { organization_id: organizationId } = persona;
  const organization = await control.store.db
    .selectFrom('organizations')
    .select('entitlements_json')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const variableValues = valuesOfToken(token);
  const wanted: SessionRequest = {
    personaConfig: {
      type: 'stateful',
      persona: { personaId: persona.id, ...(Object.keys(variableValues).length > 0 && { variableValues }) },
    },
    sessionOptions: {},
    clientLabel,
    clientMetadata: null,
  };
  const caller = { organizationId, entitlements: JSON.parse(organization.entitlements_json) };
  await unlessUnavailable(control.log, persona.id, checkSession(control, caller, wanted));
  const { name, avatarImageUrl, avatarVideoUrl } = look.persona;
  return mintToken(control, {
    organizationId,
    apiKeyId: null,
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

/** A visitor's own values win where the persona takes them. */
function valuesOfToken({ persona, variableValues, visitorValues }: WantedVisitorToken): VariableValues {
  const declared = JSON.parse(persona.variables_json) as VariableDeclarations;
  return { ...declaredValues(declared, variableValues), ...valuesOfVisitor(declared, visitorValues ?? {}) };
}
