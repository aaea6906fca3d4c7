// Compile a program's modules with the Python that will run them: node compile.mjs PYODIDE PROGRAM
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , pyodide, program] = process.argv;
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
python.FS.writeFile("/program.zip", new Uint8Array(readFileSync(program)));
python.runPython(`
import io, py_compile, zipfile
from pathlib import Path

def compiled(name, source):
    path = Path("/source.py")
    path.write_bytes(source)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(path, "/compiled.pyc", dfile=name, doraise=True, optimize=2, invalidation_mode=mode)
    return Path("/compiled.pyc").read_bytes()

with zipfile.ZipFile("/program.zip") as given, zipfile.ZipFile("/compiled.zip", "w") as made:
    for info in given.infolist():
        data = given.read(info)
        if info.filename.endswith(".py"):
            data, info.filename = compiled(info.filename, data), info.filename + "c"
        made.writestr(info, data, zipfile.ZIP_DEFLATED, 9)
`);
writeFileSync(program, python.FS.readFile("/compiled.zip"));
