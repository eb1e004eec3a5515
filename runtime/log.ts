import type { Logger as PinoLogger } from 'pino';

/** The logger that every part takes. Values of conversations never go into it. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'child'>;
