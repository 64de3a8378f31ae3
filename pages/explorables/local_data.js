/* A file is read by Python in the page, which is loaded once somebody has chosen one. */
const { packages, archive, program } = JSON.parse(document.querySelector("#python").textContent)
const form = document.querySelector(".local-data")
const drop = form.querySelector(".drop")
const input = drop.querySelector("input")
const status = form.querySelector(".status")
const choices = form.querySelector(".choices")
const columns = form.querySelector(".columns")
const answer = document.querySelector(".answer")
let python
let name = ""
let content

async function start() {
  status.textContent = "Python is loading: some 30 MB, once."
  const { loadPyodide } = await import("./pyodide/pyodide.mjs")
  const pyodide = await loadPyodide()
  await pyodide.loadPackage(packages)
  const package_ = await fetch(archive)
  pyodide.unpackArchive(await package_.arrayBuffer(), "zip")
  status.textContent = "The package is starting."
  await pyodide.runPythonAsync(program)
  return pyodide
}

async function ask(call, ...values) {
  python ??= start()
  const pyodide = await python
  const given = pyodide.toPy([name, content, ...values])
  const bytes = pyodide.runPython("lambda call, given: call(given[0], bytes(given[1]), *given[2:])")
  return JSON.parse(bytes(pyodide.globals.get(call), given))
}

async function look(file) {
  name = file.name
  content = new Uint8Array(await file.arrayBuffer())
  drop.firstChild.textContent = `${name}: choose another file, or drop it here`
  choices.hidden = true
  answer.replaceChildren()
  const proposal = await ask("look")
  status.textContent = proposal.problem ?? ""
  if (proposal.problem) return
  columns.replaceChildren(
    ...proposal.columns.map((column) => {
      const box = document.createElement("input")
      box.type = "checkbox"
      box.value = column.name
      box.checked = column.role === "label"
      const label = document.createElement("label")
      label.append(box, ` ${column.name}`)
      return label
    }),
  )
  if (proposal.form) form.elements.form.value = proposal.form
  choices.hidden = false
}

async function explain() {
  const labels = [...columns.querySelectorAll(":checked")].map((box) => box.value)
  const { form: written, row, k } = form.elements
  status.textContent = "The prediction is being explained."
  const result = await ask("explain_row", labels, written.value, +row.value || 1, +k.value || 5)
  status.textContent = result.problem ?? ""
  if (result.problem) return answer.replaceChildren()
  row.value = result.row
  k.value = result.n_similar
  const title = document.createElement("h2")
  title.textContent = `Row ${result.row} of ${result.n_rows}`
  const method = document.createElement("h3")
  method.textContent = `Predicted by ${result.method}`
  const truth = document.createElement("p")
  truth.textContent = `In the file: ${result.truth}`
  const drawn = document.createElement("div")
  drawn.innerHTML = result.html
  answer.replaceChildren(title, truth, method, drawn)
}

function guarded(work) {
  work.catch((error) => {
    python = undefined
    status.textContent = `Python could not do this: ${error.message}`
  })
}

input.addEventListener("change", () => input.files.length && guarded(look(input.files[0])))
drop.addEventListener("keydown", (event) => event.key === "Enter" && input.click())
drop.addEventListener("dragover", (event) => event.preventDefault())
drop.addEventListener("drop", (event) => {
  event.preventDefault()
  if (event.dataTransfer.files.length) guarded(look(event.dataTransfer.files[0]))
})
form.addEventListener("submit", (event) => {
  event.preventDefault()
  guarded(explain())
})
