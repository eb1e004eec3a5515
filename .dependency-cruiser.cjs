/**
 * What may import what. ARCHITECTURE.md draws the arrows; scripts/imports/import-rules.test.ts breaks each rule once to see it hold.
 * @type {import('dependency-cruiser').IConfiguration}
 */

/** Tests, and what only tests, benches and tools may use. */
const NOT_PRODUCTION = '(^|/)(testing|fakes)/|\\.test\\.tsx?$|(^|/)testing\\.ts$';
const OUTSIDE = '^(bench|e2e|deploy|scripts|service)/';

module.exports = {
  forbidden: [
    {
      severity: 'error',
      name: 'runtime-knows-nobody',
      comment: 'Clock, threads and processes for all others.',
      from: { path: '^runtime/' },
      to: { path: ['^(models|actors|engine|control|meetings|clients|web)/', OUTSIDE] },
    },
    {
      severity: 'error',
      name: 'models-stand-alone',
      comment: 'A provider knows nothing of sessions, actors or HTTP.',
      from: { path: '^models/' },
      to: { path: ['^(actors|engine|control|meetings|clients|web)/', OUTSIDE] },
    },
    {
      severity: 'error',
      name: 'actors-decide-and-do-nothing-else',
      comment: 'Actors return commands; the engine carries them out.',
      from: { path: '^actors/' },
      to: { path: ['^(runtime|engine|control|meetings|clients|web)/', OUTSIDE] },
    },
    {
      severity: 'error',
      name: 'actors-see-only-the-ports-of-models',
      from: { path: '^actors/', pathNot: NOT_PRODUCTION },
      to: { path: '^models/', pathNot: '^models/ports\\.ts$' },
    },
    {
      severity: 'error',
      name: 'actors-touch-no-machine',
      comment:
        'No files, network, threads or timers: time and randomness are injected. Hashes are pure; the linter bans the rest of crypto.',
      from: { path: '^actors/', pathNot: NOT_PRODUCTION },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      severity: 'error',
      name: 'kernel-knows-no-actor',
      comment:
        'What all actors stand on (bus, timers, environment) knows the catalogues beside it and none of their folders.',
      from: { path: '^actors/kernel/', pathNot: NOT_PRODUCTION },
      to: { path: '^actors/(?!kernel/)[^/]+/' },
    },
    {
      severity: 'error',
      name: 'nobody-below-the-session',
      comment:
        'actors/session starts all the actors and stands on top of them: they know the bus, never each other through it.',
      from: { path: '^actors/[^/]+/', pathNot: ['^actors/session/', NOT_PRODUCTION] },
      to: { path: '^actors/session/' },
    },
    {
      severity: 'error',
      name: 'engine-does-not-know-the-control-plane',
      from: { path: '^engine/' },
      to: { path: ['^(control|meetings|clients|web)/', OUTSIDE] },
    },
    {
      severity: 'error',
      name: 'control-reaches-the-engine-through-its-face',
      comment: 'engine/index.ts and the plain files beside it; testing/ may use more.',
      from: { path: '^control/', pathNot: NOT_PRODUCTION },
      to: { path: ['^(engine|models)/[^/]+/', '^clients/', '^meetings/'], pathNot: '^engine/net/index\\.ts$' },
    },
    {
      severity: 'error',
      name: 'meetings-know-ports-and-the-network',
      comment:
        'They go into pages of strangers: of the service they see the ports of control, the URL guard and the disclosure.',
      from: { path: '^meetings/', pathNot: NOT_PRODUCTION },
      to: {
        path: ['^(models|actors|engine|control|clients|web)/', OUTSIDE],
        pathNot: ['^engine/net/', '^engine/face/disclosure-text\\.ts$', '^control/ports\\.ts$'],
      },
    },
    {
      severity: 'error',
      name: 'meetings-take-only-types-of-ports',
      from: { path: '^meetings/', pathNot: NOT_PRODUCTION },
      to: { path: '^control/', dependencyTypesNot: ['type-only'] },
    },
    {
      severity: 'error',
      name: 'pages-of-meetings-run-in-browsers',
      comment: 'Rules on addresses and the words of the disclosure are all of the service that goes into a page.',
      from: { path: '^meetings/page/', pathNot: NOT_PRODUCTION },
      to: {
        path: '.',
        pathNot: [
          '^meetings/page/',
          '^engine/net/(public-address|private-hosts)\\.ts$',
          '^engine/face/disclosure-text\\.ts$',
          '(^|/)(ipaddr\\.js|vite)(/|$)',
        ],
      },
    },
    {
      severity: 'error',
      name: 'web-knows-only-the-wire',
      comment: 'The schemas of the API are the wire; the console takes types from them.',
      from: { path: '^web/' },
      to: {
        path: ['^(runtime|models|actors|engine|control|meetings)/', OUTSIDE],
        pathNot: [NOT_PRODUCTION, '^control/.*-schema\\.ts$'],
      },
    },
    {
      severity: 'error',
      name: 'web-takes-only-types-of-schemas',
      from: { path: '^web/', pathNot: NOT_PRODUCTION },
      to: { path: '^control/.*-schema\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      severity: 'error',
      name: 'clients-know-only-the-wire',
      comment: 'They are packages of their own: they import nothing of the service, and of npm only what they are for.',
      from: { path: '^clients/[^/]+/src/', pathNot: NOT_PRODUCTION },
      to: { path: '.', pathNot: ['^clients/', '^@parley/client$', '(^|/)react/'] },
    },
    {
      severity: 'error',
      name: 'clients-are-used-through-their-face',
      from: { path: '^(web|bench|e2e|scripts)/', pathNot: NOT_PRODUCTION },
      to: { path: '^clients/[^/]+/src/', pathNot: '^clients/[^/]+/src/index\\.tsx?$' },
    },
    {
      severity: 'error',
      name: 'production-imports-no-test-code',
      from: { path: '^(runtime|models|actors|engine|control|meetings|clients|web)/', pathNot: NOT_PRODUCTION },
      to: { path: NOT_PRODUCTION },
    },
    {
      severity: 'error',
      name: 'nobody-imports-what-stands-outside',
      from: { path: '^(runtime|models|actors|engine|control|meetings|clients|web)/', pathNot: NOT_PRODUCTION },
      to: { path: OUTSIDE },
    },
    {
      severity: 'error',
      name: 'service-stands-below-the-scripts',
      comment: 'How a process is put together; programs of developers and operators start it.',
      from: { path: '^service/', pathNot: NOT_PRODUCTION },
      to: { path: ['^(bench|e2e|deploy|scripts|clients|web)/', NOT_PRODUCTION] },
    },
    {
      severity: 'error',
      name: 'one-adapter-for-webrtc',
      comment: 'A throw inside a callback of this package ends the process: one guarded file imports it.',
      from: {
        path: '^(runtime|models|actors|engine|control|web)/',
        pathNot: ['^engine/transport/native/', NOT_PRODUCTION],
      },
      to: { path: 'node-datachannel' },
    },
    {
      severity: 'error',
      name: 'one-adapter-for-onnx',
      comment: 'The package reports usage to its vendor unless told not to before it is loaded: one file does both.',
      from: { path: '^(runtime|models|actors|engine|control|web)/', pathNot: ['^models/onnx\\.ts$', NOT_PRODUCTION] },
      to: { path: 'onnxruntime-node' },
    },
    {
      severity: 'error',
      name: 'one-adapter-for-sherpa',
      comment:
        'A bad model file ends the process that reads it: one file imports the package, for processes of their own.',
      from: {
        path: '^(models|actors|engine|control|web)/',
        pathNot: ['^models/sherpa/sherpa-onnx\\.ts$', NOT_PRODUCTION],
      },
      to: { path: 'sherpa-onnx-node' },
    },
    {
      severity: 'error',
      name: 'no-circles',
      comment: 'Types count: two files that need each other are one, or miss a third.',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    // TypeScript 7 has no API yet.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|data)/' },
  },
};
