// Runs crdgen next to the page, so that typing never waits for it.
onmessage = async ({ data }) => {
  if (data.wasm) {
    try {
      const bytes = Uint8Array.from(atob(data.wasm), (c) => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
      await wasm_bindgen({ module_or_path: await new Response(stream).arrayBuffer() });
      postMessage({ versions: JSON.parse(wasm_bindgen.answer('{}')).versions });
    } catch (why) {
      postMessage({ failed: String(why) });
    }
    return;
  }
  try {
    const start = performance.now();
    const answer = wasm_bindgen.answer(data.request);
    postMessage({ id: data.id, answer, took: performance.now() - start });
  } catch (why) {
    postMessage({ id: data.id, failed: String(why) });
  }
};
