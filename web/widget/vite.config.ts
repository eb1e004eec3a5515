import { defineConfig } from 'vite';

const LICENSES = 'widget-licenses.md';

/** The widget is one script, which any page can load. The control plane serves it at `/widget.js`. */
export default defineConfig({
  oxc: { jsx: { development: false } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The first with `light-dark()`: replacements for older ones do not work across a shadow root.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
    // Whoever loads the script gets the libraries in it too: their licenses go with it, served beside it.
    license: { fileName: LICENSES },
    rolldownOptions: {
      output: { postBanner: `/*! Parley, Apache-2.0. It contains other software: see /${LICENSES} of the service. */` },
    },
    lib: { entry: 'src/main.ts', name: 'ParleyWidget', formats: ['iife'], fileName: () => 'widget.js' },
  },
});
