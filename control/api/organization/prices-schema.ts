import { z } from 'zod';
import { priceFields } from '../../costs/price-schema.ts';
import { timestamp } from '../../http/schemas.ts';

export const updatePrices = z.strictObject(priceFields).partial();
export type PricesInput = z.output<typeof updatePrices>;

export const pricesResponse = z
  .object({
    ...priceFields,
    providers: z
      .object({ recognizers: z.array(z.string()), voices: z.array(z.string()), llms: z.array(z.string()) })
      .describe('Services that this deployment has, and that may be paid.'),
    updatedAt: timestamp.nullable(),
  })
  .meta({ id: 'Prices' });
export type PricesResponse = z.output<typeof pricesResponse>;
