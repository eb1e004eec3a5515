import type { Examples } from '../../http/resource.ts';

export const serviceExamples: Examples = {
  'GET /healthz': { answer: { status: 'ok' } },
  'GET /readyz': {
    answer: {
      status: 'ready',
      database: 'ok',
      disk: 'ok',
      engine: 'ok',
      faces: 'ok',
      facesDrawn: 7,
      facesTotal: 7,
      activeSessions: 1,
      capacity: 14,
      capacityAlone: 14,
      freePlaces: 13,
      promise: 'kept',
      saving: 'none',
    },
    otherAnswers: {
      503: {
        description: 'Not now.',
        body: {
          status: 'not ready',
          database: 'down',
          disk: 'ok',
          engine: 'ok',
          faces: 'ok',
          facesDrawn: 7,
          facesTotal: 7,
          activeSessions: 0,
          capacity: 14,
          capacityAlone: 14,
          freePlaces: 14,
          promise: 'kept',
          saving: 'none',
        },
      },
    },
  },
  'POST /v1/metrics/client': {
    request: { name: 'client_session_attempt', value: 1, tags: { client: 'js-sdk', version: '4.27.0' } },
    answer: { success: true },
  },
};
