import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { TTS_PROVIDERS } from '../../../engine/providers.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { isFree } from '../../costs/is-free.ts';
import { type App, callerOf } from '../../http/app.ts';
import { errorAnswers } from '../../http/schemas.ts';
import type { Store } from '../../store/open.ts';
import { pricesOf, savePrices } from './price-rows.ts';
import { pricesResponse, type PricesResponse, updatePrices } from './prices-schema.ts';

/** What these routes take of the service. */
export interface PriceRoutesParts {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly now: () => number;
}

/** What an organization pays its providers. */
export function priceRoutes(app: App, { store, catalogue, now }: PriceRoutesParts): void {
  const shown = async (organizationId: string): Promise<PricesResponse> => {
    const { prices, updatedAt } = await pricesOf(store, organizationId);
    return { ...prices, providers: providersOf(catalogue), updatedAt };
  };

  app.get(
    '/v1/organization/prices',
    { schema: { summary: 'Read what conversations cost', response: { 200: pricesResponse, ...errorAnswers() } } },
    async (request) => shown(callerOf(request).organizationId),
  );

  app.put(
    '/v1/organization/prices',
    {
      schema: {
        summary: 'Change what conversations cost',
        description:
          'Fields that are absent stay as they are; the lists of prices are replaced as a whole. A session costs what holds when it ends.',
        body: updatePrices,
        response: { 200: pricesResponse, ...errorAnswers(400) },
      },
    },
    async (request) => {
      const { organizationId } = callerOf(request);
      const { prices } = await pricesOf(store, organizationId);
      await savePrices(store, organizationId, { ...prices, ...request.body }, isoTime(now()));
      return shown(organizationId);
    },
  );
}

function providersOf({ recognizers, voices, llms }: Catalogue): PricesResponse['providers'] {
  const spoken = new Set(voices.map(({ engineProvider }) => engineProvider));
  return {
    recognizers: recognizers.map(({ id }) => id).filter((id) => !isFree('stt', id)),
    voices: TTS_PROVIDERS.filter(({ apiName }) => spoken.has(apiName)).map(({ id }) => id),
    llms: [
      ...new Set(
        llms.flatMap(({ llmFormat, modelName }) => (llmFormat === 'none' ? [] : [`${llmFormat} ${modelName}`])),
      ),
    ],
  };
}
