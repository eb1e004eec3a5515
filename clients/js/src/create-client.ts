import { Client } from './client.ts';
import { defaultBaseUrl } from './default-base-url.ts';
import type { ClientOptions } from './options.ts';
import { readSessionToken } from './session-token.ts';
import { requestSessionToken } from './start-session.ts';

/**
 * A client for one persona.
 * @param sessionToken from your server (`POST /v1/auth/session-token`), or a function that gets one when it is needed:
 * after a reload of the page it may not be.
 * @throws ClientError `authentication`, `legacy_token` for a token that cannot be used
 */
export function createClient(
  sessionToken: string | (() => string | Promise<string>),
  options: ClientOptions = {},
): Client {
  const check = (token: string): string => {
    readSessionToken(token);
    return token;
  };
  if (typeof sessionToken === 'string') {
    check(sessionToken);
    return new Client(() => sessionToken, options);
  }
  return new Client(async () => check(await sessionToken()), options);
}

/**
 * For tests on your own machine: the API key is in the page, where every visitor can read it.
 * @param personaConfig as in `POST /v1/auth/session-token`.
 */
export function unsafe_createClientWithApiKey(
  apiKey: string,
  personaConfig: Readonly<Record<string, unknown>>,
  options: ClientOptions = {},
): Client {
  const api = { ...options.api, baseUrl: options.api?.baseUrl ?? defaultBaseUrl() };
  return new Client(() => requestSessionToken(apiKey, api, { personaConfig, clientLabel: 'js-sdk-api-key' }), options);
}
