import { defineConfig } from 'vite';

/** Two builds of one file each: a module for applications, and a script with the global `Parley` for pages. */
export default defineConfig({
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    reportCompressedSize: false,
    lib: {
      entry: 'src/index.ts',
      name: 'Parley',
      formats: ['es', 'iife'],
      fileName: (format) => (format === 'es' ? 'client.mjs' : 'client.js'),
    },
  },
});
