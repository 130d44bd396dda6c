"use strict";
// Checks a certificate with the kernel's own files, in a worker, so that the page stays alive.
const read = id => globalThis.sharedFiles?.[id] ?? JSON.parse(document.getElementById(id).textContent);
const at = id => document.getElementById(id);
const box = at("text"), status = at("result"), check = at("check"), stop = at("stop");
let original = at("certificate") ? read("certificate") : "";
let worker = null, waiting = null;

function say(text, kind = "") {
  status.className = "verdict " + kind;
  status.textContent = text;
}

function busy(on) {
  check.disabled = on;
  stop.hidden = !on;
  status.setAttribute("aria-busy", String(on));
}

function load() {  // the file beside the page; a script, because no other file may be read from a disk
  if (globalThis.pyodideFiles) return Promise.resolve();
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = "pyodide-files.js";
    script.onload = done;
    script.onerror = () => { script.remove(); failed(new Error(at("missing").textContent)); };
    document.head.append(script);
  });
}

function start() {
  // Only a worker of a data: address may load modules where the page lies on a disk.
  const code = "data:text/javascript," + encodeURIComponent(read("worker"));
  worker = new Worker(code, { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.progress) return say(data.progress);
    busy(false);
    if (data.failed) return say("The checker could not run: " + data.failed, "bad");
    const good = data.status === 0;
    const verdict = good ? "Accepted" : data.status === 4 ? "Rejected" : "Not readable";
    say(verdict + ":\n" + data.text.replace(/^\w+: /gm, ""), good ? "good" : "bad");
  };
  worker.onerror = event => {
    busy(false);
    worker = null;
    say("The checker could not start: " + (event.message || "this browser does not let it"), "bad");
  };
  worker.postMessage({ files: globalThis.pyodideFiles, kernel: read("kernel") });
}

async function run() {
  busy(true);
  const turn = waiting = {};
  say("Starting Python in this page; the first time takes a few seconds.");
  try {
    await load();
    if (waiting !== turn) return;
    if (!worker) start();
    worker.postMessage({ text: box.value });
  } catch (error) {
    if (waiting !== turn) return;
    busy(false);
    say(error.message, "bad");
  }
}

function alter() {  // a digit of the statement, or else of anything
  const from = Math.max(0, box.value.indexOf('"statement"'));
  let place = box.value.slice(from).search(/(lower|upper)": ?"?\d/);
  place = place < 0 ? box.value.search(/\d/) : from + place;
  const offset = box.value.slice(place).search(/\d/);
  if (place < 0 || offset < 0) return;
  place += offset;
  const digit = (Number(box.value[place]) + 1) % 10;
  box.value = box.value.slice(0, place) + digit + box.value.slice(place + 1);
  box.closest("details").open = true;
  box.focus();
  box.setSelectionRange(place, place + 1);
  box.scrollTop = box.scrollHeight * place / box.value.length - box.clientHeight / 2;
  say("One digit is altered; check it now.");
}

if (check) {
  box.value = original;
  check.onclick = run;
  stop.onclick = () => {
    waiting = null;
    if (worker) worker.terminate();
    worker = null;
    busy(false);
    say("Stopped.");
  };
  at("alter").onclick = alter;
  at("restore").onclick = () => { box.value = original; say("The certificate is as it was."); };
  at("file").onchange = async event => {
    const [file] = event.target.files;
    if (file) { box.value = await file.text(); say(file.name + " is read; check it now."); }
  };
  const link = at("download");
  if (link) link.href = URL.createObjectURL(new Blob([original], { type: "application/json" }));
  for (const each of document.querySelectorAll("[data-certificate]")) {
    const text = read(each.dataset.certificate);
    if (each.tagName === "A") {
      each.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    } else {
      each.onclick = () => {
        box.value = original = text;
        at("alter").hidden = at("restore").hidden = false;
        at("checker").scrollIntoView();
        status.tabIndex = -1;
        status.focus({ preventScroll: true });
        if (!check.disabled) run();
      };
    }
  }
  for (const each of document.querySelectorAll("[data-needs-program]")) each.hidden = false;
}
