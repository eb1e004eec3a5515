import { request } from './client.ts';
import type {
  Analytics,
  Avatar,
  AvatarVideo,
  Llm,
  Page,
  Persona,
  PersonaSummary,
  SessionSummary,
  Transcript,
  VideoOrder,
  Voice,
} from './types.ts';
import type { PersonaInput } from '../../../control/api/personas/persona-schema.ts';
import type { PricesInput, PricesResponse } from '../../../control/api/organization/prices-schema.ts';
import type {
  TranscriptionInput,
  TranscriptionResponse,
} from '../../../control/api/organization/transcription-schema.ts';
import type { LocalModelList, LocalModelResponse } from '../../../control/api/operator/local-model-schema.ts';
import type { ProviderLatencies } from '../../../control/api/operator/provider-latency-schema.ts';
import type { TurnRecord } from '../session/turn-record.ts';

const FULL_PAGE = 'perPage=100';

export const listPersonas = () => request<Page<PersonaSummary>>('GET', `/v1/personas?${FULL_PAGE}`);
export const getPersona = (id: string) => request<Persona>('GET', `/v1/personas/${id}`);
export const createPersona = (persona: PersonaInput) => request<Persona>('POST', '/v1/personas', persona);
export const updatePersona = (id: string, changes: PersonaInput) =>
  request<Persona>('PUT', `/v1/personas/${id}`, changes);
export const listAvatars = () => request<Page<Avatar>>('GET', `/v1/avatars?${FULL_PAGE}`);
export const createAvatar = (displayName: string, picture: File) =>
  request<Avatar>('POST', '/v1/avatars', form({ displayName, imageFile: picture }));
/** All of them, with those of every account: up to two thousand each. */
export async function listVoices(): Promise<Page<Voice>> {
  const page = (number: number) => request<Page<Voice>>('GET', `/v1/voices?${FULL_PAGE}&page=${number}`);
  const first = await page(1);
  const others = Array.from({ length: first.meta.lastPage - 1 }, (_, index) => page(index + 2));
  return { ...first, data: [first, ...(await Promise.all(others))].flatMap(({ data }) => data) };
}
export const getVoice = (id: string) => request<Voice>('GET', `/v1/voices/${id}`);
export const listLlms = () => request<Page<Llm>>('GET', `/v1/llms?${FULL_PAGE}`);
export const getPrices = () => request<PricesResponse>('GET', '/v1/organization/prices');
export const updatePrices = (changes: PricesInput) =>
  request<PricesResponse>('PUT', '/v1/organization/prices', changes);
export const getTranscription = () => request<TranscriptionResponse>('GET', '/v1/organization/transcription');
export const updateTranscription = (changes: TranscriptionInput) =>
  request<TranscriptionResponse>('PUT', '/v1/organization/transcription', changes);
export const listProviderLatencies = () => request<ProviderLatencies>('GET', '/v1/provider-latencies');

export const listLocalModels = () => request<LocalModelList>('GET', '/v1/local-models');
export const fetchLocalModel = (id: string) => request<LocalModelResponse>('POST', `/v1/local-models/${id}/fetch`);

export const listVideos = () => request<Page<AvatarVideo>>('GET', '/v1/avatar-videos?perPage=50');
export const orderVideo = (order: VideoOrder) => request<AvatarVideo>('POST', '/v1/avatar-videos', order);
export const deleteVideo = (id: string) => request<unknown>('DELETE', `/v1/avatar-videos/${id}`);

/** @param query of the filters, maybe empty. */
export const listSessions = (page: number, query = '') =>
  request<Page<SessionSummary>>('GET', `/v1/sessions?page=${page}&perPage=20${query === '' ? '' : `&${query}`}`);
export const deleteSessionContent = (id: string) => request<unknown>('DELETE', `/v1/sessions/${id}`);
export const getSession = (id: string) => request<SessionSummary>('GET', `/v1/sessions/${id}`);
export const stopSession = (id: string) => request<unknown>('POST', `/v1/sessions/${id}/stop`);
export const getTranscript = (id: string) => request<Transcript>('GET', `/v1/sessions/${id}/transcript`);
export const getAnalytics = (id: string) =>
  request<Analytics>('GET', `/v1/sessions/${id}/analytics?includeMessages=true`);
export const getRecording = (id: string) => request<{ recordingUrl: string }>('GET', `/v1/sessions/${id}/recording`);
export const getTimeline = (id: string) =>
  request<{ turns: readonly TurnRecord[]; events: readonly { at: number; kind: string; label: string }[] }>(
    'GET',
    `/v1/sessions/${id}/timeline`,
  );

export const requestSessionToken = async (personaConfig: Readonly<Record<string, unknown>>): Promise<string> =>
  (await request<{ sessionToken: string }>('POST', '/v1/auth/session-token', { personaConfig, clientLabel: 'console' }))
    .sessionToken;

function form(fields: Readonly<Record<string, string | File>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}
