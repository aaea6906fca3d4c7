// Loads Python and the program into a worker.
import { loadPyodide } from "./pyodide/pyodide.mjs";

export async function loadProgram() {
  const program = fetch("program.zip").then((file) => file.arrayBuffer());
  const python = await loadPyodide({ indexURL: new URL("pyodide/", self.location).href });
  python.FS.writeFile("/program.zip", new Uint8Array(await program));
  python.runPython("import sys, zipfile; zipfile.ZipFile('/program.zip').extractall('/program'); sys.path.insert(0, '/program')");
  return python;
}
