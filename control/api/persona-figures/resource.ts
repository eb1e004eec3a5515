import type { Resource } from '../../http/resource.ts';
import type { Store } from '../../store/open.ts';
import { personas } from '../personas/resource.ts';
import { versionFiguresRoute } from './version-figures.ts';

export const personaFigures: Resource<{ readonly store: Store }> = {
  tag: 'Figures of personas',
  description: 'What came of the conversations of each version: errors, success, and how soon answers were heard.',
  scopes: personas.scopes,
  errors: {},
  examples: {
    'GET /v1/personas/{id}/figures': {
      answer: {
        data: [
          {
            version: 3,
            sessions: 40,
            errors: 1,
            averageLengthMs: 94_300,
            costs: [{ currency: 'USD', amount: 1.284_03, isComplete: true, sessions: 31 }],
            firstAudioLatencySeconds: { count: 210, p50: 0.71, p95: 1.24 },
            graded: { passed: 31, failed: 6, unclear: 2 },
            criteria: [{ name: 'Booked', passed: 31, failed: 6, unclear: 2 }],
          },
        ],
      },
    },
  },
  routes(app, control) {
    versionFiguresRoute(app, control);
  },
};
