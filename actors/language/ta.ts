import { list, type Language } from './language.ts';

/** Tamil. */
export const ta = {
  backchannels: {
    hums: list('ஓ | அப்படியா'),
    assents: list('ம்ம் | ம் | ஆமா | ஆமாம் | சரி | ஆம் | ஓகே'),
    reactions: list('புரியுது | புரிந்தது | நல்லது | நிஜமா'),
  },
} as const satisfies Language;
