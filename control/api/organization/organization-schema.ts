import { z } from 'zod';

export const organizationResponse = z.object({ id: z.string(), name: z.string() });
export type OrganizationResponse = z.output<typeof organizationResponse>;
