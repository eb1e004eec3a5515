import { ApiError, request } from '../../api/client.ts';
import type { Page, Persona } from '../../api/types.ts';
import type { z } from 'zod';
import type { PersonaInput } from '../../../../control/api/personas/persona-schema.ts';
import type {
  draftResponse,
  versionResponse,
  versionSummary,
} from '../../../../control/api/personas/version-schema.ts';
import type { versionFigures } from '../../../../control/api/persona-figures/figure-schema.ts';

export type StoredDraft = z.infer<typeof draftResponse>;
export type Version = z.infer<typeof versionSummary>;
export type VersionWithContent = z.infer<typeof versionResponse>;

export const getDraft = (id: string) => request<StoredDraft>('GET', `/v1/personas/${id}/draft`);
/** @throws ApiError whose problems name fields of the persona, as the form does. */
export const saveDraft = (id: string, changes: PersonaInput) =>
  request<StoredDraft>('PUT', `/v1/personas/${id}/draft`, { changes }).catch((error: unknown) => {
    throw error instanceof ApiError ? ofPersona(error) : error;
  });
export const discardDraft = (id: string) => request<unknown>('DELETE', `/v1/personas/${id}/draft`);
export const publishDraft = (id: string, note: string) =>
  request<Persona>('POST', `/v1/personas/${id}/publish`, { note });
export const listVersions = (id: string, page: number) =>
  request<Page<Version>>('GET', `/v1/personas/${id}/versions?perPage=20&page=${page}`);
export const getVersion = (id: string, number: number) =>
  request<VersionWithContent>('GET', `/v1/personas/${id}/versions/${number}`);
export const rollBack = (id: string, number: number, note: string) =>
  request<Persona>('POST', `/v1/personas/${id}/versions/${number}/publish`, { note });

/** A draft is sent inside of `changes`; the fields of the form are those of the persona. */
function ofPersona({ status, message, problems, usedBy }: ApiError): ApiError {
  const inner = problems.map((problem) => ({ ...problem, path: problem.path.replace(/^changes(?:\.|$)/, '') }));
  return new ApiError(status, message, inner, usedBy);
}

export type VersionFigures = z.infer<typeof versionFigures>;
/** The newest version first, the draft last. */
export const listFigures = (personaId: string) =>
  request<{ readonly data: readonly VersionFigures[] }>('GET', `/v1/personas/${personaId}/figures`);
