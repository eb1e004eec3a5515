export { RealtimeFront, type FrontOptions } from './realtime-front.ts';
