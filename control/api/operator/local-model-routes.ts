import type { App } from '../../http/app.ts';
import { HttpError } from '../../errors/http-error.ts';
import { errorAnswers } from '../../http/schemas.ts';
import { localModelErrors } from './local-model-errors.ts';
import { localModelId, localModelList, localModelResponse } from './local-model-schema.ts';
import type { ControlPorts } from '../../ports.ts';

/** What these routes take of the service. */
export interface LocalModelRoutesParts {
  readonly ports: Pick<ControlPorts, 'localModels'>;
}

/** Neural models for this machine: which there are, and fetching them. */
export function localModelRoutes(app: App, { ports }: LocalModelRoutesParts): void {
  const { localModels } = ports;

  app.get(
    '/v1/local-models',
    { schema: { summary: 'List local models', response: { 200: localModelList, ...errorAnswers() } } },
    async () => ({ data: [...((await localModels?.list()) ?? [])], restart: localModels?.restart() ?? 'none' }),
  );

  app.post(
    '/v1/local-models/:id/fetch',
    {
      schema: {
        summary: 'Fetch a local model',
        description:
          'Begins to fetch it from its publisher and answers at once; the list shows how far it is. ' +
          'It is used when all that were asked for are here: ' +
          'the service then starts again by itself as soon as no session is active.',
        params: localModelId,
        response: { 202: localModelResponse, ...errorAnswers(404, 409) },
      },
    },
    async (request, reply) => {
      if (localModels === null) throw new HttpError(localModelErrors.localModelsAreOff);
      const model = await localModels.fetch(request.params.id);
      if (model === null) throw new HttpError(localModelErrors.localModelNotFound);
      return reply.status(202).send(model);
    },
  );
}
