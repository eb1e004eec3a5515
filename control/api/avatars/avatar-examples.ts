import { ERRORS } from '../../errors/http-error.ts';
import { metaOf } from '../../http/paging.ts';
import type { Examples } from '../../http/resource.ts';
import { avatarErrors } from './avatar-errors.ts';
import type { AvatarResponse } from './avatar-schema.ts';

export const stockAvatar: AvatarResponse = {
  id: 'f8bbf49d-d036-48e0-a853-7e06220377bf',
  displayName: 'Test Face',
  variantName: 'desk',
  imageUrl: 'https://parley.example.com/pictures/stock/f8bbf49d-d036-48e0-a853-7e06220377bf/square',
  landscapeImageUrl: 'https://parley.example.com/pictures/stock/f8bbf49d-d036-48e0-a853-7e06220377bf/landscape',
  portraitImageUrl: 'https://parley.example.com/pictures/stock/f8bbf49d-d036-48e0-a853-7e06220377bf/portrait',
  videoUrl: null,
  idleVideoUrl: null,
  createdByOrganizationId: null,
  availableVersions: ['cara-3'],
  activeVersion: 'cara-3',
  description: 'Friendly',
  displayTags: ['friendly'],
  renderStyle: 'illustrated',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

const madeAvatar: AvatarResponse = {
  id: '149536ff-6054-4cdb-9bc5-71cc95103fbf',
  displayName: 'Mira',
  variantName: '',
  imageUrl: 'https://parley.example.com/pictures/13b34d2f-7d28-4fcb-ba75-449095377af9.png',
  landscapeImageUrl: 'https://parley.example.com/pictures/d362aa0c-e8ce-40dc-b824-432b5669a7eb.png',
  portraitImageUrl: null,
  videoUrl: null,
  idleVideoUrl: null,
  createdByOrganizationId: '315c11d9-80a9-4d65-b0cd-b24f8ab748d8',
  availableVersions: ['cara-3'],
  activeVersion: 'cara-3',
  description: null,
  displayTags: [],
  renderStyle: 'unknown',
  createdAt: '2026-11-21T00:55:09.774Z',
  updatedAt: '2026-11-21T00:55:09.774Z',
};

export const avatarExamples: Examples = {
  'GET /v1/avatars': { answer: { data: [stockAvatar], meta: metaOf({ page: 1, perPage: 10 }, 2) } },
  'POST /v1/avatars': { answer: madeAvatar, refusals: [avatarErrors.unprocessableImage, avatarErrors.avatarQueueFull] },
  'GET /v1/avatars/{id}': { answer: stockAvatar },
  'PUT /v1/avatars/{id}': { answer: { ...madeAvatar, displayName: 'Mira at work' } },
  'DELETE /v1/avatars/{id}': { refusals: [ERRORS.inUse], answer: { message: 'Avatar deleted successfully' } },
};
