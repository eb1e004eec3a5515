import { request } from './client.ts';
import type { Analytics, Avatar, Llm, Page, Persona, PersonaDraft, PersonaSummary, SessionSummary, Transcript, Voice } from './types.ts';
import type { StartResponse } from '../session/start-response.ts';
import type { TurnRecord } from '../session/turn-record.ts';

const FULL_PAGE = 'perPage=100';

export const listPersonas = () => request<Page<PersonaSummary>>('GET', `/v1/personas?${FULL_PAGE}`);
export const getPersona = (id: string) => request<Persona>('GET', `/v1/personas/${id}`);
export const createPersona = (draft: PersonaDraft) => request<Persona>('POST', '/v1/personas', draft);
export const updatePersona = (id: string, draft: PersonaDraft) => request<Persona>('PUT', `/v1/personas/${id}`, draft);
export const deletePersona = (id: string) => request<unknown>('DELETE', `/v1/personas/${id}`);
export const listAvatars = () => request<Page<Avatar>>('GET', `/v1/avatars?${FULL_PAGE}`);
export const listVoices = () => request<Page<Voice>>('GET', `/v1/voices?${FULL_PAGE}`);
export const listLlms = () => request<Page<Llm>>('GET', `/v1/llms?${FULL_PAGE}`);

export const listSessions = (page: number) => request<Page<SessionSummary>>('GET', `/v1/sessions?page=${page}&perPage=20`);
export const getSession = (id: string) => request<SessionSummary>('GET', `/v1/sessions/${id}`);
export const getTranscript = (id: string) => request<Transcript>('GET', `/v1/sessions/${id}/transcript`);
export const getAnalytics = (id: string) => request<Analytics>('GET', `/v1/sessions/${id}/analytics?includeMessages=true`);
export const getTimeline = (id: string) =>
  request<{ turns: readonly TurnRecord[]; events: readonly { at: number; kind: string; label: string }[] }>('GET', `/v1/sessions/${id}/timeline`);

export const startSession = (personaConfig: Readonly<Record<string, unknown>>) =>
  request<StartResponse>('POST', '/v1/engine/session', { personaConfig, clientLabel: 'console', clientMetadata: { client: 'console' } });
