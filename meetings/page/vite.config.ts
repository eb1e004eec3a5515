import { defineConfig } from 'vite';

/** The script that goes into a meeting's page: one file, with the global `ParleyPage`. */
export default defineConfig({
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    reportCompressedSize: false,
    lib: { entry: 'install.ts', name: 'ParleyPage', formats: ['iife'], fileName: () => 'page.js' },
  },
});
