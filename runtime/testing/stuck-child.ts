/** Says that it runs, and then hears nothing any more. */
process.send?.('stuck');
setImmediate(() => {
  for (;;);
});
