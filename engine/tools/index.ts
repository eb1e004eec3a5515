export { createToolRunner, type ToolRunner } from './tool-runner.ts';
