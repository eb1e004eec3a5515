import type { McpInput, McpServer } from './mcp-api.ts';

/** The texts of the form. */
export interface McpDraft {
  readonly name: string;
  readonly url: string;
  readonly authType: McpServer['auth']['type'];
  /** A token or a client secret. Empty: the stored one stays. */
  readonly secret: string;
  readonly clientId: string;
  readonly issuer: string;
  readonly scope: string;
  readonly allowedTools: readonly string[] | null;
  readonly timeoutSeconds: string;
}

export function draftOf(server: McpServer | null): McpDraft {
  return {
    name: server?.name ?? '',
    url: server?.url ?? '',
    authType: server?.auth.type ?? 'none',
    secret: '',
    clientId: server?.auth.clientId ?? '',
    issuer: server?.auth.issuer ?? '',
    scope: server?.auth.scope ?? '',
    allowedTools: server?.allowedTools ?? null,
    timeoutSeconds: String(server?.timeoutSeconds ?? 30),
  };
}

/** @param before what is stored: if the secret is left empty, how Parley signs in stays as it is. */
export function inputOf(draft: McpDraft, before: McpServer | null): McpInput {
  const auth = authOf(draft);
  const stays = draft.secret === '' && before?.auth.type === draft.authType && draft.authType !== 'none';
  return {
    name: draft.name,
    url: draft.url,
    allowedTools: draft.allowedTools,
    timeoutSeconds: Number(draft.timeoutSeconds),
    ...(stays ? {} : { auth }),
  };
}

function authOf({ authType, secret, clientId, issuer, scope }: McpDraft): Record<string, string> {
  if (authType === 'none') return { type: 'none' };
  if (authType === 'bearer') return { type: 'bearer', token: secret };
  return {
    type: 'client_credentials',
    clientId,
    clientSecret: secret,
    issuer,
    ...(scope === '' ? {} : { scope }),
  };
}
