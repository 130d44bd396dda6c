"use strict";
let python = null;

async function prepare({ files, kernel }) {
  const network = self.fetch;
  const bytes = async name => {  // each file is compressed, and a text
    const packed = await network("data:application/gzip;base64," + files[name]);
    const stream = packed.body.pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  const script = async name => {
    const blob = new Blob([await bytes(name)], { type: "text/javascript" });
    return import(URL.createObjectURL(blob));
  };
  self.fetch = async address => {  // what Pyodide asks for comes from the page, nothing from elsewhere
    const name = String(address).split("/").pop();
    if (!(name in files)) throw new Error(name + " is not a file of the page");
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(await bytes(name), { headers: { "content-type": type } });
  };
  const { loadPyodide } = await script("pyodide.mjs");
  const { default: createPyodideModule } = await script("pyodide.asm.mjs");
  const lockFileContents = JSON.parse(new TextDecoder().decode(await bytes("pyodide-lock.json")));
  const started = await loadPyodide({ indexURL: "https://page.invalid/", lockFileContents, createPyodideModule });
  started.FS.mkdirTree("/checker/kernel");
  for (const [name, text] of Object.entries(kernel)) started.FS.writeFile("/checker/kernel/" + name, text);
  started.runPython("import gc, sys; sys.path.insert(0, '/checker'); gc.disable(); import kernel");
  return started;
}

self.onmessage = async ({ data }) => {
  try {
    if (data.files) {
      python = prepare(data);
      await python;
      return;
    }
    const started = await python;
    self.postMessage({ progress: "The kernel checks the certificate." });
    const lines = [];
    started.setStdout({ batched: line => lines.push(line) });
    started.FS.writeFile("/checker/certificate.json", data.text);
    const code = "import os; os.chdir('/checker'); s = kernel.main(['certificate.json']); sys.stdout.flush(); s";
    const status = started.runPython(code);
    self.postMessage({ status, text: lines.join("\n").replaceAll("certificate.json: ", "") });
  } catch (error) {
    self.postMessage({ failed: String(error.message || error) });
  }
};
