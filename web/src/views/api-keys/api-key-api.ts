import { request } from '../../api/client.ts';

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly isThisKey: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

export interface ApiKeyList {
  readonly data: readonly ApiKey[];
  readonly grantableScopes: readonly string[];
  readonly defaultScopes: readonly string[];
}

export const listApiKeys = () => request<ApiKeyList>('GET', '/v1/api-keys');
export const createApiKey = (name: string, scopes: readonly string[]) =>
  request<ApiKey & { readonly key: string }>('POST', '/v1/api-keys', { name, scopes });
export const revokeApiKey = (id: string, withTokens: boolean) =>
  request<unknown>('DELETE', `/v1/api-keys/${id}?withTokens=${withTokens}`);

/** A client that programs install from this service. */
export interface ClientPackage {
  readonly name: string;
  /** For a shell. */
  readonly install: string;
}
export const listClientPackages = () => request<{ readonly packages: readonly ClientPackage[] }>('GET', '/clients');
