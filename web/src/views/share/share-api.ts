import { request } from '../../api/client.ts';
import type { Avatar, Page, Persona, PersonaSummary } from '../../api/types.ts';
import { listVersions, type Version } from '../persona-editor/draft-api.ts';
import type { VersionShares } from './version-shares.tsx';
import type { WidgetConfig } from './widget-config.ts';

export interface ShareLink {
  readonly id: string;
  readonly token: string;
  readonly expiresAt: string | null;
  readonly usageLimit: number | null;
  readonly usageCount: number;
  readonly allowedOrigins: readonly string[];
  readonly allowAllOrigins: boolean;
  readonly variableValues: Readonly<Record<string, string>>;
  readonly versions: VersionShares;
  readonly enabled: boolean;
}

export interface NewShareLink {
  readonly expiresInHours: number | null;
  readonly usageLimit: number | null;
  readonly allowedOrigins: readonly string[];
  readonly variableValues: Readonly<Record<string, string>>;
  readonly versions: VersionShares;
}

export interface SharedPersona {
  readonly id: string;
  readonly name: string;
  readonly avatar: Avatar | null;
  readonly widgetConfig?: WidgetConfig;
  readonly variables: Persona['variables'];
  /** The newest ones. */
  readonly versions: readonly Version[];
}

export const listOwnPersonas = () => request<Page<PersonaSummary>>('GET', '/v1/personas?perPage=100');
/**
 * The newest versions of a persona, for whoever shows a form with them: it is shown when they are there. A field that
 * came later pushed the button away below the pointer.
 */
export const versionsToShare = async (personaId: string): Promise<readonly Version[]> =>
  (await listVersions(personaId, 1)).data;
export async function getSharedPersona(id: string): Promise<SharedPersona> {
  const [persona, versions] = await Promise.all([
    request<Omit<SharedPersona, 'versions'>>('GET', `/v1/personas/${id}`),
    versionsToShare(id),
  ]);
  return { ...persona, versions };
}
export const saveWidgetConfig = (id: string, widgetConfig: WidgetConfig) =>
  request<unknown>('PUT', `/v1/personas/${id}`, { widgetConfig });

export const listShareLinks = (personaId: string) =>
  request<Page<ShareLink>>('GET', `/v1/share-links?perPage=100&personaId=${encodeURIComponent(personaId)}`);
export const createShareLink = (personaId: string, link: NewShareLink) =>
  request<ShareLink>('POST', '/v1/share-links', { personaId, ...link });
export const changeShareLink = (id: string, change: { readonly enabled: boolean }) =>
  request<ShareLink>('PUT', `/v1/share-links/${id}`, change);
export const deleteShareLink = (id: string) => request<unknown>('DELETE', `/v1/share-links/${id}`);
