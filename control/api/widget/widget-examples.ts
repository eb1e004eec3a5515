import { personaErrors } from '../personas/persona-errors.ts';
import type { Examples } from '../../http/resource.ts';
import { sessionErrors } from '../../errors/session-errors.ts';

/** What a visitor sees before talking: of a widget, and of a share link. */
export const shownPersona = {
  persona: {
    name: 'Concierge',
    avatarImageUrl: 'https://parley.example.com/pictures/stock/f8bbf49d-d036-48e0-a853-7e06220377bf/square',
    avatarVideoUrl: null,
  },
  widgetConfig: {
    layout: 'floating',
    initialState: 'expanded',
    position: 'bottom-right',
    showCaptions: false,
    showTextInput: true,
    showMuteButton: true,
    showTranscript: true,
    removeWatermark: false,
    callToAction: 'Talk to our assistant',
  },
};

export const visitorToken = {
  sessionToken: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0eXBlIjoic3RhdGVmdWwifQ.c2lnbmF0dXJl',
};

export const widgetExamples: Examples = {
  'GET /v1/personas/{id}/widget': { answer: shownPersona },
  'POST /v1/auth/widget': {
    request: { agentId: '694f11c0-84b4-4ce6-99bd-bf678d8659d6' },
    answer: visitorToken,
    refusals: [personaErrors.personaNotFound, sessionErrors.personaUnavailable],
  },
};
