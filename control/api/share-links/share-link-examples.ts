import type { z } from 'zod';
import { ERRORS } from '../../errors/http-error.ts';
import { metaOf } from '../../http/paging.ts';
import { personaErrors } from '../personas/persona-errors.ts';
import type { Examples } from '../../http/resource.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import { shownPersona, visitorToken } from '../widget/widget-examples.ts';
import { shareLinkErrors } from '../../errors/share-link-errors.ts';
import type { personaShareLink, shareLinkResponse } from './share-link-schema.ts';

const shareLink: z.infer<typeof shareLinkResponse> = {
  id: '63f6a456-25c1-4c70-8707-2f04cf06e169',
  token: 'VBp0LX4NybQPxUWylqemKA',
  type: 'LINK',
  expiresAt: '2026-11-22T00:55:09.774Z',
  usageLimit: 10,
  usageCount: 0,
  allowedOrigins: [],
  allowAllOrigins: false,
  removeWatermark: false,
  variableValues: {},
  versions: null,
  enabled: true,
  isPrimary: false,
  createdAt: '2026-11-21T00:55:09.774Z',
};

const linkOfPersona: z.infer<typeof personaShareLink> = {
  ...shareLink,
  personaId: '85dc37f8-b9d5-4e0c-b988-a1c1fe64068c',
  personaName: 'Concierge',
  organizationId: '315c11d9-80a9-4d65-b0cd-b24f8ab748d8',
};

export const shareLinkExamples: Examples = {
  'GET /v1/share-links': { answer: { data: [linkOfPersona], meta: metaOf({ page: 1, perPage: 20 }, 1) } },
  'POST /v1/share-links': { answer: shareLink, refusals: [personaErrors.personaNotFound] },
  'GET /v1/share-links/{id}': { answer: linkOfPersona },
  'PUT /v1/share-links/{id}': {
    request: { expiresInHours: 48 },
    answer: { ...shareLink, expiresAt: '2026-11-23T00:55:09.774Z' },
  },
  'GET /v1/shared/{token}': {
    answer: shownPersona,
    refusals: [
      shareLinkErrors.shareLinkNotFound,
      shareLinkErrors.shareLinkExpired,
      ERRORS.originNotAllowed,
      sessionErrors.usageLimit,
    ],
  },
  'POST /v1/auth/share-link': {
    request: { token: shareLink.token },
    answer: visitorToken,
    refusals: [
      shareLinkErrors.shareLinkNotFound,
      shareLinkErrors.shareLinkExpired,
      ERRORS.originNotAllowed,
      sessionErrors.usageLimit,
      sessionErrors.personaUnavailable,
    ],
  },
  'DELETE /v1/share-links/{id}': { answer: { message: 'Share link deleted successfully' } },
};
