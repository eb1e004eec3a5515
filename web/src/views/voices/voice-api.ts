import type { VoiceOptions } from '../../../../control/api/voices/voice-schema.ts';
import { ApiError, request, requestBytes } from '../../api/client.ts';
import type { Page, Voice } from '../../api/types.ts';

/** Empty texts: no limit. */
export interface VoiceFilter {
  readonly search: string;
  readonly language: string;
  readonly gender: string;
  readonly provider: string;
}

export const ALL_VOICES: VoiceFilter = { search: '', language: '', gender: '', provider: '' };
const PER_PAGE = 50;

export interface WantedClone {
  readonly name: string;
  readonly description: string;
  /** ISO 639-1. */
  readonly language: string;
  readonly provider: string;
  readonly enhance: boolean;
}

export const getVoiceOptions = () => request<VoiceOptions>('GET', '/v1/voices/options');
/** @param page from 1. */
export const listVoicePage = (filter: VoiceFilter, page: number) => {
  const query = Object.entries(filter).filter(([, value]) => value !== '') as [string, string][];
  return request<Page<Voice>>(
    'GET',
    `/v1/voices?${new URLSearchParams([...query, ['page', String(page)], ['perPage', String(PER_PAGE)]])}`,
  );
};
export const renameVoice = (id: string, displayName: string) =>
  request<Voice>('PUT', `/v1/voices/${id}`, { displayName });
/** @param languageCode empty: the language that the voice speaks best. @returns a WAV file. */
export const previewVoice = (id: string, text: string, languageCode: string) =>
  requestBytes('POST', `/v1/voices/${id}/preview`, { text, ...(languageCode !== '' && { languageCode }) });

/**
 * Uploads a recording and has its voice copied.
 * @param onProgress 0…1 of the upload; 1: the service copies. @throws ApiError
 */
export async function cloneVoice(
  wanted: WantedClone,
  recording: { readonly file: File; readonly contentType: string },
  onProgress: (part: number) => void,
): Promise<Voice> {
  const { file, contentType } = recording;
  const { uploadUrl, audioKey } = await request<{ uploadUrl: string; audioKey: string }>(
    'POST',
    '/v1/voices/presigned-upload',
    { filename: file.name, contentType, fileSize: file.size },
  );
  await upload(uploadUrl, file, contentType, onProgress);
  onProgress(1);
  const { description, ...rest } = wanted;
  return request<Voice>('POST', '/v1/voices', { ...rest, audioKey, ...(description !== '' && { description }) });
}

/** `fetch` does not tell how much has been sent, so this is the older interface. */
function upload(url: string, file: File, contentType: string, onProgress: (part: number) => void): Promise<void> {
  // The console asks the address from which it came, whatever clients use.
  const { pathname, search } = new URL(url, location.href);
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open('PUT', pathname + search);
    sending.setRequestHeader('content-type', contentType);
    sending.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    sending.addEventListener('error', () => reject(new ApiError(0, 'The recording could not be sent.')));
    sending.addEventListener('load', () => {
      if (sending.status === 200) resolve();
      else reject(new ApiError(sending.status, `The recording could not be stored (${sending.status}).`));
    });
    sending.send(file);
  });
}
