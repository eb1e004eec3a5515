/** Deterministic stand-ins for tests and benches: no network, no model, every delay declared. */
export { createFakeLlm } from './fake-llm.ts';
export { createFakeRecognizer, fakeRecognizer } from './fake-recognizer.ts';
export { createFakeSynthesizer, type FakeSynthesizerOptions } from './fake-synthesizer.ts';
export { createPromptedRecognizer, promptedRecognizer, type Prompt } from './prompted-recognizer.ts';
