/* Mounts the app's first page on cases whose states stand in this page; the address keeps the case
   and the value of the knob. */
const all = JSON.parse(document.getElementById("cases").textContent)
const shadow = document.querySelector(".explorable").shadowRoot
const root = shadow.querySelector(".look-alikes")
const inApp = document.querySelector(".in-app")
let at = 0
let shownIndex = null

function caseData(i) {
  const [first, own] = [all.cases[0], all.cases[i]]
  const data = { ...first, ...own, plane: { ...first.plane, ...own.plane }, version: i }
  if (i === at && shownIndex !== null) data.knob = { ...data.knob, index: shownIndex }
  return data
}

// Where the address says what was seen, or the page is to show it, nothing is asked first.
function show(i, isRevealed) {
  at = i
  if (isRevealed) {
    root.app?.stop()
    root.app = { version: null, wantsAnswer: true, stop() {} }
  }
  mount({ parentElement: shadow, data: caseData(i), setStateValue: setIndex, setTriggerValue: choose })
  linkToApp()
}

function setIndex(_, index) {
  shownIndex = index
  writeAddress()
}

function choose(event, row) {
  const i = event === "another" ? (at + 1) % all.cases.length : all.cases.findIndex((each) => each.row === row)
  if (i < 0) return
  shownIndex = null
  show(i, false)
  writeAddress()
}

function writeAddress() {
  const { row, knob } = caseData(at)
  history.replaceState(null, "", `#case=${row + 1}&k=${knob.values[knob.index]}`)
  linkToApp()
}

function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1))
  const i = all.cases.findIndex((each) => each.row === Number(said.get("case")) - 1)
  if (i < 0) return false
  const index = caseData(i).knob.values.findIndex((value) => String(value) === said.get("k"))
  at = i
  shownIndex = index < 0 ? null : index
  show(i, index >= 0)
  return true
}

function linkToApp() {
  if (!all.link) return
  const { row, knob } = caseData(at)
  const query = new URLSearchParams({ ...all.query, row: row + 1, [all.knob]: knob.values[knob.index] })
  inApp.firstChild.href = `${all.link}?${query}`
  inApp.hidden = false
}

addEventListener("hashchange", readAddress)
if (!readAddress()) show(0, all.isOpen)
